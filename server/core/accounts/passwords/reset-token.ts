import { createHash } from 'node:crypto'

export function hashResetToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
