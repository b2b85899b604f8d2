/** The 32 characters of readable codes, none of which looks like another. Each stands for 5 bits. */
const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Converts random bytes to a code that people can read and type, one character a byte. */
export function readableCode(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => SIGNS[byte % SIGNS.length]).join('')
}
