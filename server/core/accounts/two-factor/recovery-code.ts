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
 * The hash is keyed by the TOTP secret, which is stored encrypted, so 50 random bits suffice. Case, spaces and hyphens
 * of the code are ignored.
 */
export function hashRecoveryCode(secret: string, code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return createHmac('sha256', secret).update(`recovery code ${plain}`).digest()
}
