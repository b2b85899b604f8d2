import { DAY } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { unauthenticated } from '#server/house/errors/errors.ts'
import { closeSockets } from './end-session.ts'
import { findSpent, revokeSession, rotate } from './queries.ts'
import { hashToken, REFRESH_OVERLAP_MS, successorTokens, type Tokens, toStored } from './tokens.ts'

/**
 * Returns new tokens for a refresh token. A repeat within 60 s gets the same tokens; a later repeat counts as theft and
 * ends the session.
 */
export async function refreshSession(
  ctx: Context,
  { refreshToken, address }: { refreshToken: string; address: string },
): Promise<Tokens | null> {
  const now = ctx.clock.now()
  const spentHash = hashToken(refreshToken)
  const begunAfter = new Date(now.getTime() - ctx.config.sessionDays * DAY)
  const tokens = successorTokens(ctx, refreshToken)
  if ((await rotate(ctx.db, { ...toStored(tokens, now), spentHash, address, begunAfter, now })) !== null) return tokens
  const spent = await findSpent(ctx.db, spentHash)
  if (spent === null) return null
  if (now.getTime() - spent.spentAt.getTime() <= REFRESH_OVERLAP_MS) return latestOf(ctx, tokens)
  ctx.log.warn({ sessionId: spent.sessionId.toString() }, 'a spent refresh token came again: the session is ended')
  await revokeSession(ctx.db, { ...spent, now })
  closeSockets(ctx, [spent.sessionId])
  return null
}

/** The maximum number of rotations to follow; a session has fewer within the overlap of 60 s. */
const MAX_HOPS = 10

/** Returns a session's newest tokens, because a slow tab may present a token that was rotated several times. */
async function latestOf(ctx: Context, tokens: Tokens): Promise<Tokens> {
  let latest = tokens
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    if ((await findSpent(ctx.db, hashToken(latest.refresh))) === null) return latest
    latest = successorTokens(ctx, latest.refresh)
  }
  throw unauthenticated()
}
