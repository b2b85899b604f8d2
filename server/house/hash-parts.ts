import { createHash } from 'node:crypto'

/** Of what a request asks for: a repeat of its idempotency key must have the same. */
export function hashParts(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
