import type { Context } from '#server/context.ts'
import { unauthenticated } from '#server/errors.ts'
import { findSpent, revokeSession, rotate } from './queries.ts'
import { hashToken, REFRESH_OVERLAP_MS, successorTokens, type Tokens, toStored } from './tokens.ts'

/**
 * Exchanges a refresh token for its successor. The same token again within 60 s gets the same successor (two tabs, a
 * lost reply); later it is taken for theft and ends the session. Throws UNAUTHENTICATED.
 */
export async function refreshSession(ctx: Context, refreshToken: string): Promise<Tokens> {
  const now = ctx.clock.now()
  const spentHash = hashToken(refreshToken)
  const tokens = successorTokens(ctx, refreshToken)
  if ((await rotate(ctx.db, { ...toStored(tokens, now), spentHash, now })) !== null) return tokens
  const spent = await findSpent(ctx.db, spentHash)
  if (spent === null) throw unauthenticated()
  if (now.getTime() - spent.spentAt.getTime() <= REFRESH_OVERLAP_MS) return tokens
  ctx.log.warn({ sessionId: spent.sessionId.toString() }, 'a spent refresh token came again: the session is ended')
  await revokeSession(ctx.db, { sessionId: spent.sessionId, now })
  ctx.realtime.closeSession(spent.sessionId.toString())
  throw unauthenticated()
}
