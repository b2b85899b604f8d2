import { DAY, SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import type { Wire } from '#server/http/call.ts'
import { cookieOf } from '#server/http/cookies.ts'

const KEY_COOKIE = 'secretKey'
const KEY_BYTES = 32
const KEY_PATTERN = /^[A-Za-z0-9_-]{43}$/
const KEY_LIFETIME_MS = 30 * DAY

/** The visitor's anonymous key, kept in a cookie: it opens nothing and is stored nowhere else (design.md, Sessions). */
export function connect(ctx: Context, wire: Wire | undefined): string {
  const known = wire === undefined ? undefined : cookieOf(wire.request, KEY_COOKIE)
  const key = known !== undefined && KEY_PATTERN.test(known) ? known : ctx.random.bytes(KEY_BYTES).toString('base64url')
  wire?.reply.setCookie(KEY_COOKIE, key, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: ctx.config.publicUrl.protocol === 'https:',
    maxAge: KEY_LIFETIME_MS / SECOND,
  })
  return key
}
