import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'

const base58check = createBase58check(sha256)
const PREFIX = 0x41
const LENGTH = 21

/** Writes an address as T…, which is the base58check of 0x41 and the 20 bytes. */
export function showTronAddress(address: string): string {
  return base58check.encode(Uint8Array.from([PREFIX, ...Buffer.from(address.slice(2), 'hex')]))
}

/** Returns the address in its stored form, or null if the text is no T-address or has a wrong checksum. */
export function readTronAddress(text: string): string | null {
  const decoded = decode(text)
  if (decoded?.length !== LENGTH || decoded[0] !== PREFIX) return null
  return `0x${Buffer.from(decoded.subarray(1)).toString('hex')}`
}

function decode(text: string): Uint8Array | null {
  try {
    return base58check.decode(text)
  } catch {
    // The library throws for a wrong letter and for a wrong checksum.
    return null
  }
}
