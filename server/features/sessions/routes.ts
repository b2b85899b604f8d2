import { z } from 'zod'
import { loginInputSchema, tokenReplySchema } from '#contract/user.ts'
import type { Context } from '#server/context.ts'
import { forbidden, unauthenticated } from '#server/errors.ts'
import { getUser } from '#server/features/users/get-user.ts'
import { type Call, defineCall, type Wire } from '#server/http/call.ts'
import { cookieOf, REFRESH_COOKIE } from '#server/http/cookies.ts'
import { findByAccessToken, revokeSession } from './queries.ts'
import { refreshSession } from './refresh.ts'
import { signIn } from './sign-in.ts'
import { clearTokenCookies, setTokenCookies } from './token-cookies.ts'
import { hashToken, type Tokens } from './tokens.ts'

export const sessionCalls: Call[] = [
  defineCall('POST /api/login', {
    auth: 'none',
    input: loginInputSchema,
    reply: tokenReplySchema,
    async handle(ctx, caller, input, wire) {
      const { userId, tokens } = await signIn(ctx, { ...input, address: caller.address, userAgent: caller.userAgent })
      return answer(ctx, { userId, tokens }, wire)
    },
  }),
  defineCall('POST /api/refresh', {
    auth: 'none',
    input: z.object({}),
    reply: tokenReplySchema,
    async handle(ctx, _caller, _input, wire) {
      requireSameOrigin(ctx, wire)
      const refreshToken = wire === undefined ? undefined : cookieOf(wire.request, REFRESH_COOKIE)
      if (refreshToken === undefined) throw unauthenticated()
      const tokens = await refreshSession(ctx, refreshToken)
      const owner = await findByAccessToken(ctx.db, { hash: hashToken(tokens.access), now: ctx.clock.now() })
      if (owner === null) throw unauthenticated()
      return answer(ctx, { userId: owner.user_id, tokens }, wire)
    },
  }),
  defineCall('POST /api/logout', {
    auth: 'optional',
    input: z.object({}),
    reply: z.object({ status: z.literal(true) }),
    async handle(ctx, caller, _input, wire) {
      const sessionId = caller.member?.sessionId ?? null
      if (sessionId !== null) {
        await revokeSession(ctx.db, { sessionId, now: ctx.clock.now() })
        ctx.realtime.closeSession(sessionId.toString())
        if (wire !== undefined) clearTokenCookies(ctx, wire.reply)
      }
      return { status: true }
    },
  }),
]

async function answer(ctx: Context, session: { userId: number; tokens: Tokens }, wire: Wire | undefined) {
  if (wire !== undefined) setTokenCookies(ctx, wire.reply, session.tokens)
  return { status: true as const, token: session.tokens.access, user: await getUser(ctx, session.userId) }
}

/** The one call a cookie alone may make: so the browser must say that our own page made it. */
function requireSameOrigin(ctx: Context, wire: Wire | undefined): void {
  const origin = wire?.request.headers.origin
  if (wire === undefined || origin === undefined || !URL.canParse(origin)) throw forbidden()
  const { host } = new URL(origin)
  const ours = host === wire.request.host || ctx.config.publicUrl.host === host
  if (!ours) throw forbidden()
}
