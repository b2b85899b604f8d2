import { createHash } from 'node:crypto'

/** Hashes the contents of a request. A repeat with the same idempotency key must have the same hash. */
export function hashParts(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
