import { logAccountEvent } from '#server/core/accounts/users/log-account-event.ts'
import type { Context } from '#server/house/context.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { readOwnCookie } from '#server/house/http/cookies.ts'
import { lookUpCredential } from '#server/house/http/credentials.ts'
import { originOf } from '#server/house/http/request-origin.ts'
import { closeSockets } from '../sessions/end-session.ts'
import { findByAccessToken, revokeByRefreshToken, revokeSession } from '../sessions/queries.ts'
import { clearTokenCookies } from '../sessions/token-cookies.ts'
import { hashToken } from '../sessions/tokens.ts'
import { bearerToken } from './caller-of.ts'

/**
 * Ends the session of the access token. A request from our own pages also ends that of the refresh cookie, because an
 * expired access token must not leave it open. A cross-site request leaves the cookies alone.
 */
export async function signOut(ctx: Context, caller: Caller, wire: Wire): Promise<void> {
  const origin = originOf(ctx.config, wire.request)
  const access = bearerToken(wire.request)
  const refresh = origin === 'ours' ? readOwnCookie(ctx.config, wire.request, 'refresh') : undefined
  const ended = [
    access === null ? null : await revokeByAccessToken(ctx, access, caller.network),
    refresh === undefined ? null : await revokeByCookie(ctx, refresh, caller.network),
  ]
  for (const session of ended) {
    if (session === null) continue
    closeSockets(ctx, [session.sessionId])
    logAccountEvent(ctx, { event: 'signed-out', userId: session.userId, address: caller.address })
  }
  if (origin !== 'foreign') clearTokenCookies(ctx, wire.reply)
}

type Ended = { sessionId: bigint; userId: number } | null

async function revokeByCookie(ctx: Context, token: string, network: string): Promise<Ended> {
  const hash = hashToken(token)
  return lookUpCredential(ctx, { kind: 'cookie', hash, network }, () =>
    revokeByRefreshToken(ctx.db, { hash, now: ctx.clock.now() }),
  )
}

async function revokeByAccessToken(ctx: Context, token: string, network: string): Promise<Ended> {
  const now = ctx.clock.now()
  const hash = hashToken(token)
  const owner = await lookUpCredential(ctx, { kind: 'bearer', hash, network }, () =>
    findByAccessToken(ctx.db, { hash, now }),
  )
  if (owner === null) return null
  const session = { sessionId: owner.session_id, userId: owner.user_id }
  return (await revokeSession(ctx.db, { ...session, now })) ? session : null
}
