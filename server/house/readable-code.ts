/** These 32 characters are not mistaken for one another on paper. Each stands for 5 bits. */
const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Returns one character per byte, for people to read and type. */
export function readableCode(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => SIGNS[byte % SIGNS.length]).join('')
}
