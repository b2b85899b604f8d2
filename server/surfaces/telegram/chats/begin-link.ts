import { MINUTE } from '#contract/time.ts'
import { hashToken } from '#server/core/accounts/sessions/tokens.ts'
import type { Context } from '#server/house/context.ts'
import { notFound, unauthenticated } from '#server/house/errors/errors.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { putLink } from './queries.ts'

const LINK_MS = 10 * MINUTE
const TOKEN_BYTES = 32
const limit = createRateLimit({ name: 'links to Telegram begun by a user', burst: 10, refillMs: MINUTE })

/**
 * Returns a deep link to the bot, by which a member links a chat. The link works once and for ten minutes. Throws
 * NOT_FOUND, TOO_MANY_REQUESTS, UNAUTHENTICATED.
 */
export async function beginLink(
  ctx: Context,
  { userId, sessionId, wantsCodes }: { userId: number; sessionId: bigint; wantsCodes: boolean },
): Promise<{ url: string; expiresAt: Date }> {
  const { telegram } = ctx.config
  if (telegram === null) throw notFound()
  const now = ctx.clock.now()
  await limit.spend(ctx, userId.toString())
  const token = ctx.random.bytes(TOKEN_BYTES).toString('base64url')
  const expiresAt = new Date(now.getTime() + LINK_MS)
  const isPut = await putLink(ctx.db, { userId, sessionId, hash: hashToken(token), wantsCodes, expiresAt })
  if (!isPut) throw unauthenticated()
  return { url: `https://t.me/${telegram.botName}?start=${token}`, expiresAt }
}
