import type { FastifyReply } from 'fastify'
import { DAY } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import type { Wire } from '#server/http/call.ts'
import { ACCESS_COOKIE, cookieOf, DEVICE_COOKIE, REFRESH_COOKIE } from '#server/http/cookies.ts'
import { rememberCredential } from '#server/http/credentials.ts'
import { ACCESS_LIFETIME_MS, hashToken, REFRESH_LIFETIME_MS, type Tokens } from './tokens.ts'

/** Both tokens as HttpOnly cookies, Secure where the service is reached by TLS. Cookies only ever render pages and refresh. */
export function setTokenCookies(ctx: Context, reply: FastifyReply, tokens: Tokens): void {
  rememberCredential(ctx, hashToken(tokens.access))
  rememberCredential(ctx, hashToken(tokens.refresh))
  reply.setCookie(ACCESS_COOKIE, tokens.access, cookie(ctx, ACCESS_LIFETIME_MS))
  reply.setCookie(REFRESH_COOKIE, tokens.refresh, cookie(ctx, REFRESH_LIFETIME_MS))
}

export function clearTokenCookies(ctx: Context, reply: FastifyReply): void {
  reply.clearCookie(ACCESS_COOKIE, cookie(ctx, 0))
  reply.clearCookie(REFRESH_COOKIE, cookie(ctx, 0))
}

/** No browser keeps a cookie for longer. */
const DEVICE_LIFETIME_MS = 400 * DAY
const DEVICE_BYTES = 16
const DEVICE_PATTERN = /^[\w-]{22}$/

/** What the browser is recognised by at its next sign-in: the one it has, or a fresh one. It gives no right. null: no browser. */
export function deviceToken(ctx: Context, wire: Wire | undefined): string | null {
  if (wire === undefined) return null
  const kept = cookieOf(wire.request, DEVICE_COOKIE)
  if (kept !== undefined && DEVICE_PATTERN.test(kept)) return kept
  return ctx.random.bytes(DEVICE_BYTES).toString('base64url')
}

export function setDeviceCookie(ctx: Context, reply: FastifyReply, device: string): void {
  reply.setCookie(DEVICE_COOKIE, device, cookie(ctx, DEVICE_LIFETIME_MS))
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
