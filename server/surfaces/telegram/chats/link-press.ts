import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from '#server/house/context.ts'

const PREFIX = 'link:'
/**
 * The length of the mark that binds a button's data to its chat. Telegram allows 64 bytes of data, of which the token
 * takes 43.
 */
const MARK_LENGTH = 16
const PRESS = new RegExp(`^${PREFIX}([\\w-]{43})([\\w-]{${MARK_LENGTH}})$`)

/** Returns the data of the button that links a chat. A signature makes the data valid in this chat only. */
export function linkPressOf(ctx: Context, { token, telegramId }: { token: string; telegramId: number }): string {
  return `${PREFIX}${token}${markOf(ctx, { token, telegramId })}`
}

export function isLinkPress(data: string): boolean {
  return data.startsWith(PREFIX)
}

/** Returns the link token in a button's data, or null if the data was forged or made for another chat. */
export function readLinkPress(ctx: Context, press: { data: string; telegramId: number }): string | null {
  const [, token, mark] = PRESS.exec(press.data) ?? []
  if (token === undefined || mark === undefined) return null
  const expected = markOf(ctx, { token, telegramId: press.telegramId })
  return timingSafeEqual(Buffer.from(mark), Buffer.from(expected)) ? token : null
}

function markOf(ctx: Context, { token, telegramId }: { token: string; telegramId: number }): string {
  const { secretKey } = ctx.secrets
  const whole = createHmac('sha256', secretKey).update(`telegram link ${telegramId} ${token}`).digest('base64url')
  return whole.slice(0, MARK_LENGTH)
}
