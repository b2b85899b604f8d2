import { hashText } from '#contract/formats/text-hash.ts'

export type Monogram = {
  /** A monogram has one or two letters. */
  letters: string
  /** The hue is 0 … 359 on the colour wheel. The theme sets the lightness. */
  hue: number
}

/** Returns DD for `DoorDash`, AO for `Any other` and Av for `Avito`. The result depends only on the name. */
export function monogramOf(name: string): Monogram {
  return { letters: lettersOf(name.normalize('NFC')), hue: hashText(name) % 360 }
}

function lettersOf(name: string): string {
  const [first, second] = name.match(/[\p{L}\p{N}]+/gu) ?? []
  if (first === undefined) return '#'
  const [initial = '', next = ''] = first
  // In other scripts two characters are too dense for a small tile, and a single one already tells enough.
  if (!/[\p{Script=Latin}\p{Script=Cyrillic}\p{N}]/u.test(initial)) return initial
  const hump = /\p{Ll}(\p{Lu})/u.exec(first)?.[1]
  if (hump !== undefined) return capital(initial) + hump
  const follower = second === undefined ? undefined : [...second][0]
  if (follower !== undefined && /[\p{Script=Latin}\p{Script=Cyrillic}\p{N}]/u.test(follower)) {
    return capital(initial) + capital(follower)
  }
  return capital(initial) + next
}

/** A letter such as `ß` stays, because its capital would be two letters. */
function capital(letter: string): string {
  const upper = letter.toUpperCase()
  return [...upper].length === 1 ? upper : letter
}
