/** 32 signs, none of which is mistaken for another on paper: 5 bits each. */
const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** One sign for each byte, to be read and typed by people. */
export function readableCode(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => SIGNS[byte % SIGNS.length]).join('')
}
