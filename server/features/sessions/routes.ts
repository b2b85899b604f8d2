import { z } from 'zod'
import {
  doneSchema,
  endOthersReplySchema,
  loginInputSchema,
  sessionsReplySchema,
  tokenReplySchema,
} from '#contract/account.ts'
import type { Context } from '#server/context.ts'
import { forbidden, unauthenticated } from '#server/errors.ts'
import { getUser } from '#server/features/users/get-user.ts'
import { type Call, defineCall, type Wire } from '#server/http/call.ts'
import { cookieOf, REFRESH_COOKIE } from '#server/http/cookies.ts'
import { lookUpCredential } from '#server/http/credentials.ts'
import { originOf } from '#server/http/request-origin.ts'
import { beginSession } from './begin-session.ts'
import { closeSockets, endOtherSessions, endSession } from './end-session.ts'
import { listSessions } from './list-sessions.ts'
import { findByAccessToken, revokeSession } from './queries.ts'
import { refreshSession } from './refresh.ts'
import { requireSession } from './require-session.ts'
import { signIn } from './sign-in.ts'
import { clearTokenCookies, setTokenCookies } from './token-cookies.ts'
import { hashToken } from './tokens.ts'

export const sessionCalls: Call[] = [
  defineCall('POST /api/login', {
    auth: 'none',
    input: loginInputSchema,
    reply: tokenReplySchema,
    async handle(ctx, caller, input, wire) {
      return beginSession(ctx, caller, await signIn(ctx, caller, input), wire)
    },
  }),
  defineCall('POST /api/refresh', {
    auth: 'none',
    input: z.object({}),
    reply: tokenReplySchema,
    async handle(ctx, caller, _input, wire) {
      requireSameOrigin(ctx, wire)
      const refreshToken = wire === undefined ? undefined : cookieOf(wire.request, REFRESH_COOKIE)
      if (refreshToken === undefined) throw unauthenticated()
      const { address, network } = caller
      const credential = { kind: 'cookie', hash: hashToken(refreshToken), network } as const
      const tokens = await lookUpCredential(ctx, credential, () => refreshSession(ctx, { refreshToken, address }))
      if (tokens === null) throw unauthenticated()
      const owner = await findByAccessToken(ctx.db, { hash: hashToken(tokens.access), now: ctx.clock.now() })
      if (owner === null) throw unauthenticated()
      if (wire !== undefined) setTokenCookies(ctx, wire.reply, tokens)
      return { status: true, token: tokens.access, user: await getUser(ctx, owner.user_id) }
    },
  }),
  defineCall('POST /api/logout', {
    auth: 'optional',
    input: z.object({}),
    reply: doneSchema,
    async handle(ctx, caller, _input, wire) {
      const { userId, sessionId } = caller.member ?? { userId: null, sessionId: null }
      if (userId === null || sessionId === null) return { status: true }
      await revokeSession(ctx.db, { sessionId, userId, now: ctx.clock.now() })
      closeSockets(ctx, [sessionId])
      if (wire !== undefined) clearTokenCookies(ctx, wire.reply)
      return { status: true }
    },
  }),
  defineCall('GET /api/v1/user/sessions', {
    auth: 'required',
    input: z.object({}),
    reply: sessionsReplySchema,
    async handle(ctx, caller) {
      return { status: true as const, sessions: await listSessions(ctx, requireSession(caller)) }
    },
  }),
  defineCall('DELETE /api/v1/user/sessions/{id}', {
    auth: 'required',
    input: z.object({ id: z.string() }),
    reply: doneSchema,
    async handle(ctx, caller, { id }, wire) {
      const signedIn = requireSession(caller)
      const ended = await endSession(ctx, signedIn, id)
      if (ended === signedIn.sessionId && wire !== undefined) clearTokenCookies(ctx, wire.reply)
      return { status: true }
    },
  }),
  defineCall('DELETE /api/v1/user/sessions', {
    auth: 'required',
    input: z.object({}),
    reply: endOthersReplySchema,
    async handle(ctx, caller) {
      return { status: true as const, ended: await endOtherSessions(ctx, requireSession(caller)) }
    },
  }),
]

/** The one call a cookie alone may make: so the browser must say that our own page made it. */
function requireSameOrigin(ctx: Context, wire: Wire | undefined): void {
  if (wire === undefined || originOf(ctx.config, wire.request) !== 'ours') throw forbidden()
}
