import { flagUrl } from './service-mark.ts'

const SIZES = { small: 'h-[18px] w-[27px]', tiny: 'h-3.5 w-[21px]' } as const

/** Renders a country's flag, which is decorative, because the country's name is always beside it. */
export function Flag({ iso2, size = 'small' }: { iso2: string; size?: keyof typeof SIZES }) {
  if (iso2 === '') return <span aria-hidden className={`${SIZES[size]} shrink-0 rounded-[3px] bg-sunken`} />
  return (
    <img
      // If the flags of a long list loaded eagerly, they would delay the page's own styles and script.
      loading="lazy"
      src={flagUrl(iso2)}
      alt=""
      width={27}
      height={18}
      className={`${SIZES[size]} shrink-0 rounded-[3px] object-cover outline outline-1 -outline-offset-1 outline-ink/15`}
    />
  )
}
