import type { TokenReply } from '#contract/account.ts'
import { DAY } from '#contract/time.ts'
import { getUser } from '#server/core/accounts/users/get-user.ts'
import type { Context } from '#server/house/context.ts'
import { endedByRole, unauthenticated } from '#server/house/errors/errors.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { readOwnCookie } from '#server/house/http/cookies.ts'
import { lookUpCredential } from '#server/house/http/credentials.ts'
import { closeSockets } from './end-session.ts'
import { findByAccessToken, findSpent, isEndedByRole, revokeSession, rotate } from './queries.ts'
import { setTokenCookies } from './token-cookies.ts'
import { hashToken, REFRESH_OVERLAP_MS, successorTokens, type Tokens, toStored } from './tokens.ts'

/** Renews the session of the browser's cookie. Throws UNAUTHENTICATED, also for a session that a new role ended. */
export async function renewByCookie(ctx: Context, caller: Caller, wire: Wire): Promise<TokenReply> {
  const refreshToken = readOwnCookie(ctx.config, wire.request, 'refresh')
  if (refreshToken === undefined) throw unauthenticated()
  const { address, network } = caller
  const credential = { kind: 'cookie', hash: hashToken(refreshToken), network } as const
  const tokens = await lookUpCredential(ctx, credential, () => refreshSession(ctx, { refreshToken, address }))
  if (tokens === null) throw (await isEndedByRole(ctx.db, credential.hash)) ? endedByRole() : unauthenticated()
  const owner = await findByAccessToken(ctx.db, { hash: hashToken(tokens.access), now: ctx.clock.now() })
  if (owner === null) throw unauthenticated()
  setTokenCookies(ctx, wire.reply, tokens)
  return {
    status: true,
    token: tokens.access,
    user: await getUser(ctx, { userId: owner.user_id, sessionId: owner.session_id }),
  }
}

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
