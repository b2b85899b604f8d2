import { createHash } from 'node:crypto'

/** Returns a hash of a request's parameters. A request that repeats an idempotency key must have the same hash. */
export function hashParts(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
