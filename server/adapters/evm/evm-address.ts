import { keccak_256 } from '@noble/hashes/sha3.js'

/** Returns the address with the letter-case checksum of EIP-55. */
export function showEvmAddress(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const sum = Buffer.from(keccak_256(Buffer.from(digits, 'ascii'))).toString('hex')
  return `0x${[...digits].map((digit, place) => (isHigh(sum[place]) ? digit.toUpperCase() : digit)).join('')}`
}

const isHigh = (digit: string | undefined): boolean => Number.parseInt(digit ?? '0', 16) >= 8

/** Returns the address in its stored form, or null if the text is no address or has a wrong checksum. */
export function readEvmAddress(text: string): string | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return null
  const address = text.toLowerCase()
  const hasChecksum = /[A-F]/.test(text.slice(2)) && /[a-f]/.test(text.slice(2))
  return hasChecksum && showEvmAddress(address) !== text ? null : address
}
