import { createHmac } from 'node:crypto'
import type { Random } from '#server/house/clock.ts'

const CODES = 10
const HALF_LENGTH = 5
/** The alphabet omits 0, 1, l and o, which are confused when copied from paper. */
const ALPHABET = '23456789abcdefghijkmnpqrstuvwxyz'

export function makeRecoveryCodes(random: Random): string[] {
  const half = () => Array.from({ length: HALF_LENGTH }, () => ALPHABET[random.below(ALPHABET.length)]).join('')
  return Array.from({ length: CODES }, () => `${half()}-${half()}`)
}

/**
 * Hashes a recovery code, ignoring case, spaces and hyphens. The key is the encrypted TOTP secret, so 50 random bits
 * suffice.
 */
export function hashRecoveryCode(secret: string, code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return createHmac('sha256', secret).update(`recovery code ${plain}`).digest()
}
