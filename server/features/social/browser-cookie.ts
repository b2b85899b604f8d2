import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import type { Wire } from '#server/http/call.ts'
import { cookieOf } from '#server/http/cookies.ts'

/** Ties a journey to the browser that began it, so that nobody can finish theirs in somebody else's. */
const BROWSER_COOKIE = 'auth_state'
const BROWSER_PATTERN = /^[A-Za-z0-9_-]{43}$/
const BROWSER_BYTES = 32

/** The browser's secret, made and set anew where it has none. Two tabs that are away at once share it. */
export function browserOf(ctx: Context, wire: Wire, lifetimeMs: number): string {
  const browser = knownBrowser(wire) ?? ctx.random.bytes(BROWSER_BYTES).toString('base64url')
  wire.reply.setCookie(BROWSER_COOKIE, browser, {
    path: '/api/auth',
    httpOnly: true,
    sameSite: 'lax',
    secure: ctx.config.publicUrl.protocol === 'https:',
    maxAge: lifetimeMs / SECOND,
  })
  return browser
}

/** null: it has none, and so began nothing. */
export function knownBrowser(wire: Wire): string | null {
  const browser = cookieOf(wire.request, BROWSER_COOKIE)
  return browser !== undefined && BROWSER_PATTERN.test(browser) ? browser : null
}
