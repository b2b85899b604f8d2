import { account } from '#contract/calls/account-calls.ts'
import { logAccountEvent } from '#server/core/accounts/users/log-account-event.ts'
import type { Context } from '#server/house/context.ts'
import { AppError, forbidden } from '#server/house/errors/errors.ts'
import { type Call, route, type Wire } from '#server/house/http/call.ts'
import { refuseForeign } from '#server/house/http/refuse-foreign.ts'
import { originOf } from '#server/house/http/request-origin.ts'
import { beginSession } from '../sessions/begin-session.ts'
import { endOtherSessions, endSession } from '../sessions/end-session.ts'
import { listSessions } from '../sessions/list-sessions.ts'
import { renewByCookie } from '../sessions/refresh.ts'
import { requireSession } from '../sessions/require-session.ts'
import { clearTokenCookies } from '../sessions/token-cookies.ts'
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
      return await renewByCookie(ctx, caller, wire)
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

/** Requires a request from our own pages, because a request to refresh is authenticated by its cookie only. */
function requireSameOrigin(ctx: Context, wire: Wire | undefined): asserts wire is Wire {
  if (wire === undefined || originOf(ctx.config, wire.request) !== 'ours') throw forbidden()
}
