import { monogramOf } from './monogram.ts'
import { serviceMarkUrl } from './service-mark.ts'

const SIZES = { small: 'size-7 text-[11px]', large: 'size-10 text-[15px]' } as const

/** The mark is decorative, because the service's name always stands beside it. */
export function Mark({
  service,
  size = 'small',
}: {
  service: { id: string; name: string }
  size?: keyof typeof SIZES
}) {
  const url = serviceMarkUrl(service.id)
  if (url !== null) {
    // Eager marks of a long list would delay the page's own styles and script.
    return <img loading="lazy" src={url} alt="" width={28} height={28} className={`${SIZES[size]} shrink-0`} />
  }
  const { letters, hue } = monogramOf(service.name)
  return (
    <span
      aria-hidden
      className={`monogram inline-flex shrink-0 items-center justify-center rounded-[25%] font-semibold ${SIZES[size]}`}
      style={{ '--hue': hue }}
    >
      {letters}
    </span>
  )
}
