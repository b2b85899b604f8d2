import type { TokenReply } from '#contract/account.ts'
import { account } from '#contract/calls/account-calls.ts'
import { getUser } from '#server/core/accounts/users/get-user.ts'
import { logAccountEvent } from '#server/core/accounts/users/log-account-event.ts'
import type { Context } from '#server/house/context.ts'
import { AppError, endedByRole, forbidden, unauthenticated } from '#server/house/errors/errors.ts'
import { type Call, route, type Wire } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { readOwnCookie } from '#server/house/http/cookies.ts'
import { lookUpCredential } from '#server/house/http/credentials.ts'
import { refuseForeign } from '#server/house/http/refuse-foreign.ts'
import { originOf } from '#server/house/http/request-origin.ts'
import { beginSession } from '../sessions/begin-session.ts'
import { endOtherSessions, endSession } from '../sessions/end-session.ts'
import { listSessions } from '../sessions/list-sessions.ts'
import { findByAccessToken, isEndedByRole } from '../sessions/queries.ts'
import { refreshSession } from '../sessions/refresh.ts'
import { requireSession } from '../sessions/require-session.ts'
import { clearTokenCookies, setTokenCookies } from '../sessions/token-cookies.ts'
import { hashToken } from '../sessions/tokens.ts'
import { confirmPassword } from './confirm-identity.ts'
import { signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'

export const sessionCalls: Call[] = [
  route(account.login, async (ctx, caller, input, wire) => {
    refuseForeign(ctx, wire)
    return beginSession(ctx, caller, await signIn(ctx, caller, input, wire), wire)
  }),
  route(account.refresh, async (ctx, caller, _input, wire) => {
    requireSameOrigin(ctx, wire)
    try {
      return await refresh(ctx, caller, wire)
    } catch (error) {
      // Invalid session cookies are cleared, so that later pages are not rendered for an unknown session.
      if (error instanceof AppError && error.code === 'UNAUTHENTICATED') clearTokenCookies(ctx, wire.reply)
      throw error
    }
  }),
  route(account.logout, async (ctx, caller, _input, wire) => {
    if (wire !== undefined) await signOut(ctx, caller, wire)
    return { status: true }
  }),
  route(account.confirmPassword, async (ctx, caller, input, wire) => {
    await confirmPassword(ctx, caller, input, wire)
    return { status: true }
  }),
  route(account.sessions, async (ctx, caller) => {
    return { status: true as const, sessions: await listSessions(ctx, requireSession(caller)) }
  }),
  route(account.endSession, async (ctx, caller, { id }, wire) => {
    const signedIn = requireSession(caller)
    const ended = await endSession(ctx, signedIn, id)
    logAccountEvent(ctx, { event: 'session-ended', userId: signedIn.userId, address: caller.address })
    if (ended === signedIn.sessionId && wire !== undefined) clearTokenCookies(ctx, wire.reply)
    return { status: true }
  }),
  route(account.endOtherSessions, async (ctx, caller) => {
    return { status: true as const, ended: await endOtherSessions(ctx, requireSession(caller)) }
  }),
]

async function refresh(ctx: Context, caller: Caller, wire: Wire): Promise<TokenReply> {
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

/** Requires a request from our own pages, because a request to refresh is authenticated by its cookie only. */
function requireSameOrigin(ctx: Context, wire: Wire | undefined): asserts wire is Wire {
  if (wire === undefined || originOf(ctx.config, wire.request) !== 'ours') throw forbidden()
}
