import { hashText } from '#contract/formats/text-hash.ts'

export type Monogram = {
  /** One or two letters, as they should be shown. */
  letters: string
  /** Degrees on the colour wheel, 0 … 359: the tile's colour, in whatever lightness the theme needs. */
  hue: number
}

/**
 * What stands in for the mark of a service that has none: `DoorDash` is DD, `Any other` is AO, `Avito` is Av. The same
 * name gives the same monogram everywhere.
 */
export function monogramOf(name: string): Monogram {
  return { letters: lettersOf(name.normalize('NFC')), hue: hashText(name) % 360 }
}

function lettersOf(name: string): string {
  const [first, second] = name.match(/[\p{L}\p{N}]+/gu) ?? []
  if (first === undefined) return '#'
  const [initial = '', next = ''] = first
  // Two such characters are too dense for a small tile, and one already tells more than a letter.
  if (!/[\p{Script=Latin}\p{Script=Cyrillic}\p{N}]/u.test(initial)) return initial
  const hump = /\p{Ll}(\p{Lu})/u.exec(first)?.[1]
  if (hump !== undefined) return capital(initial) + hump
  const follower = second === undefined ? undefined : [...second][0]
  if (follower !== undefined && /[\p{Script=Latin}\p{Script=Cyrillic}\p{N}]/u.test(follower)) {
    return capital(initial) + capital(follower)
  }
  return capital(initial) + next
}

/** `ß` would become two letters. */
function capital(letter: string): string {
  const upper = letter.toUpperCase()
  return [...upper].length === 1 ? upper : letter
}
