import { hashText } from '#contract/formats/text-hash.ts'
import { serviceMarkUrl } from './service-mark.ts'

const SIZES = { small: 'size-7 text-[11px]', large: 'size-10 text-[15px]' } as const

/**
 * Renders a service's logo, or else a monogram. Both are decorative, because the service's name is always beside them.
 */
export function Mark({
  service,
  size = 'small',
}: {
  service: { id: string; name: string }
  size?: keyof typeof SIZES
}) {
  const url = serviceMarkUrl(service.id)
  if (url !== null) {
    // If the marks of a long list loaded eagerly, they would delay the page's own styles and script.
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

type Monogram = {
  letters: string
  /** The hue is 0 … 359 on the colour wheel. The theme sets the lightness. */
  hue: number
}

/** Returns a monogram that depends only on the name: DD for `DoorDash`, AO for `Any other`, Av for `Avito`. */
export function monogramOf(name: string): Monogram {
  return { letters: lettersOf(name.normalize('NFC')), hue: hashText(name) % 360 }
}

function lettersOf(name: string): string {
  const [first, second] = name.match(/[\p{L}\p{N}]+/gu) ?? []
  if (first === undefined) return '#'
  const [initial = '', next = ''] = first
  // In scripts other than Latin and Cyrillic, two characters are too dense for a small tile, and one is enough.
  if (!/[\p{Script=Latin}\p{Script=Cyrillic}\p{N}]/u.test(initial)) return initial
  const hump = /\p{Ll}(\p{Lu})/u.exec(first)?.[1]
  if (hump !== undefined) return capital(initial) + hump
  const follower = second === undefined ? undefined : [...second][0]
  if (follower !== undefined && /[\p{Script=Latin}\p{Script=Cyrillic}\p{N}]/u.test(follower)) {
    return capital(initial) + capital(follower)
  }
  return capital(initial) + next
}

/** Returns the capital, or the letter itself if its capital has two letters, as that of `ß`. */
function capital(letter: string): string {
  const upper = letter.toUpperCase()
  return [...upper].length === 1 ? upper : letter
}
