import type { FastifyReply } from 'fastify'
import type { Context } from '#server/context.ts'
import { ACCESS_COOKIE, REFRESH_COOKIE } from '#server/http/cookies.ts'
import { ACCESS_LIFETIME_MS, REFRESH_LIFETIME_MS, type Tokens } from './tokens.ts'

/** Both tokens as HttpOnly cookies, Secure where the service is reached by TLS. Cookies only ever render pages and refresh. */
export function setTokenCookies(ctx: Context, reply: FastifyReply, tokens: Tokens): void {
  reply.setCookie(ACCESS_COOKIE, tokens.access, cookie(ctx, ACCESS_LIFETIME_MS))
  reply.setCookie(REFRESH_COOKIE, tokens.refresh, cookie(ctx, REFRESH_LIFETIME_MS))
}

export function clearTokenCookies(ctx: Context, reply: FastifyReply): void {
  reply.clearCookie(ACCESS_COOKIE, cookie(ctx, 0))
  reply.clearCookie(REFRESH_COOKIE, cookie(ctx, 0))
}

function cookie(ctx: Context, lifetimeMs: number) {
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'lax' as const,
    secure: ctx.config.publicUrl.protocol === 'https:',
    maxAge: lifetimeMs / 1000,
  }
}
