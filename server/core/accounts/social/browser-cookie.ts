import type { Context } from '#server/house/context.ts'
import { keepBrowserKey, knownBrowserKey } from '#server/house/http/browser-key.ts'
import type { Wire } from '#server/house/http/call.ts'

/** The cookie ties a sign-in at a provider to its browser, so that no other browser can finish it (login CSRF). */
const BROWSER_COOKIE = 'auth_state'

export function browserOf(ctx: Context, wire: Wire, lifetimeMs: number): string {
  return keepBrowserKey(ctx, wire, { name: BROWSER_COOKIE, path: '/api/auth', lifetimeMs })
}

export function knownBrowser(wire: Wire): string | null {
  return knownBrowserKey(wire, BROWSER_COOKIE)
}
