import { z } from 'zod'

export const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform((text) => BigInt(text))
export const hash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((text) => text.toLowerCase())
export const bytes = z.string().regex(/^0x(?:[0-9a-fA-F]{2})*$/)
/** Reads an address. TRON may return 21 bytes that begin with 41. */
export const address = z
  .string()
  .regex(/^0x(?:41)?[0-9a-fA-F]{40}$/)
  .transform((text) => `0x${text.slice(-40).toLowerCase()}`)

export function toQuantity(value: bigint): string {
  return `0x${value.toString(16)}`
}

export function addressOfWord(word: string): string {
  return `0x${word.slice(-40).toLowerCase()}`
}
