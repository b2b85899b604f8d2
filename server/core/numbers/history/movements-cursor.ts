import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from '#server/house/context.ts'
import { wrongCursor } from './cursor.ts'

const CURSOR_PATTERN = /^(\d{1,18}(?:\.\d{1,18}){1,2})\.([\w-]{22})$/
const SIGNATURE_BYTES = 16

/** Returns a cursor that is signed for this user, because the next page trusts the balance in the cursor. */
export function toMovementsCursor(ctx: Context, userId: number, numbers: readonly bigint[]): string {
  const text = numbers.join('.')
  return `${text}.${sign(ctx.secrets.secretKey, userId, text).toString('base64url')}`
}

/** Parses a cursor into `count` numbers; null without a cursor. Throws INVALID_INPUT for another user's cursor. */
export function readMovementsCursor(
  ctx: Context,
  userId: number,
  cursor: string | undefined,
  count: number,
): bigint[] | null {
  if (cursor === undefined) return null
  const [, text, signature] = CURSOR_PATTERN.exec(cursor) ?? []
  if (text === undefined || signature === undefined) throw wrongCursor()
  const given = Buffer.from(signature, 'base64url')
  const keys = [ctx.secrets.secretKey, ...ctx.secrets.previousSecretKeys]
  if (!keys.some((key) => timingSafeEqual(sign(key, userId, text), given))) throw wrongCursor()
  const numbers = text.split('.').map(BigInt)
  if (numbers.length !== count) throw wrongCursor()
  return numbers
}

function sign(secretKey: string, userId: number, text: string): Buffer {
  return createHmac('sha256', secretKey)
    .update(`movements of ${userId} from ${text}`)
    .digest()
    .subarray(0, SIGNATURE_BYTES)
}
