import { createHash } from 'node:crypto'

/** SHA-256: what the database keeps of a link's token. */
export function hashResetToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
