import { hashText } from '#contract/formats/text-hash.ts'

export type Monogram = {
  /** One or two. */
  letters: string
  /** 0 … 359 on the colour wheel. The theme sets the lightness. */
  hue: number
}

/** `DoorDash` is DD, `Any other` is AO, `Avito` is Av. Deterministic by name. */
export function monogramOf(name: string): Monogram {
  return { letters: lettersOf(name.normalize('NFC')), hue: hashText(name) % 360 }
}

function lettersOf(name: string): string {
  const [first, second] = name.match(/[\p{L}\p{N}]+/gu) ?? []
  if (first === undefined) return '#'
  const [initial = '', next = ''] = first
  // Two such characters are too dense for a small tile, and one already tells enough.
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
