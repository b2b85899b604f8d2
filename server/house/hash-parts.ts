import { createHash } from 'node:crypto'

/**
 * Hashes the parameters of a request. A request that repeats an idempotency key must have the same hash, or it is
 * refused.
 */
export function hashParts(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
