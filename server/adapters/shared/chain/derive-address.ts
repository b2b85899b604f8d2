import { createHash, ECDH } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { HDKey } from '@scure/bip32'

/** The branch of receiving addresses: 0/0, 0/1, … below the key of m/44'/60'/0' or similar. */
const RECEIVING = 0

/** Reads an extended public key. Throws if the text is no such key, and never repeats the text. */
export function readExtendedKey(text: string): { key: HDKey; branch: string } {
  const key = parseKey(text)
  if (key === null) throw new Error('xpub: is no extended public key')
  if (key.privateKey !== null) throw new Error('xpub: is a private key, which must never be on this machine')
  return { key, branch: createHash('sha256').update(text).digest('hex').slice(0, 16) }
}

function parseKey(text: string): HDKey | null {
  try {
    return HDKey.fromExtendedKey(text)
  } catch {
    // The library's error contains the key, so it is dropped.
    return null
  }
}

/**
 * Returns the address of a derived key, the last 20 bytes of the keccak-256 hash of the public key's point (Ethereum's
 * yellow paper, appendix F). Takes milliseconds.
 */
export function deriveAddress(key: HDKey, place: number): string {
  const { publicKey } = key.deriveChild(RECEIVING).deriveChild(place)
  if (publicKey === null) throw new Error('a derived key has no public part')
  const point = ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed')
  // `convertKey` returns bytes if no encoding is given, although its type also allows a string.
  const coordinates = Buffer.from(point as Buffer).subarray(1)
  return `0x${Buffer.from(keccak_256(coordinates)).subarray(-20).toString('hex')}`
}
