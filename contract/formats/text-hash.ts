/**
 * A whole number 0 … 2³²−1 that depends on nothing but the text: for choices that must look random and yet be the same
 * everywhere and always (a monogram's colour, the demo's prices). Not for secrets. FNV-1a, and a last mix without which
 * short texts that differ in one digit stay close.
 */
export function hashText(text: string): number {
  let value = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193)
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  return (value ^ (value >>> 13)) >>> 0
}
