import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from '#server/context.ts'
import { wrongCursor } from './cursor.ts'
import type { Stand } from './movement-queries.ts'

const CURSOR_PATTERN = /^((\d{1,18})\.(\d{1,18}))\.([\w-]{22})$/
const SIGNATURE_BYTES = 16

/** Signed for its reader, because the next page trusts the balance in it. */
export function toMovementsCursor(ctx: Context, userId: number, stand: Stand): string {
  const text = `${stand.id}.${stand.balanceMicros}`
  return `${text}.${sign(ctx.secretKey, userId, text).toString('base64url')}`
}

/** Null without a cursor. Throws INVALID_INPUT for a cursor not issued to this reader. */
export function readMovementsCursor(ctx: Context, userId: number, cursor: string | undefined): Stand | null {
  if (cursor === undefined) return null
  const [, text, id, balance, signature] = CURSOR_PATTERN.exec(cursor) ?? []
  if (text === undefined || id === undefined || balance === undefined || signature === undefined) throw wrongCursor()
  const given = Buffer.from(signature, 'base64url')
  const keys = [ctx.secretKey, ...ctx.previousSecretKeys]
  if (!keys.some((key) => timingSafeEqual(sign(key, userId, text), given))) throw wrongCursor()
  return { id: BigInt(id), balanceMicros: BigInt(balance) }
}

function sign(secretKey: string, userId: number, text: string): Buffer {
  return createHmac('sha256', secretKey)
    .update(`movements of ${userId} from ${text}`)
    .digest()
    .subarray(0, SIGNATURE_BYTES)
}
