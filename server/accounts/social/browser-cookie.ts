import type { Context } from '#server/context.ts'
import { keepBrowserKey, knownBrowserKey } from '#server/http/browser-key.ts'
import type { Wire } from '#server/http/call.ts'

/** Ties a journey to the browser that began it, so that nobody can finish theirs in somebody else's. */
const BROWSER_COOKIE = 'auth_state'

/** The browser's secret, made and set anew where it has none. Two tabs that are away at once share it. */
export function browserOf(ctx: Context, wire: Wire, lifetimeMs: number): string {
  return keepBrowserKey(ctx, wire, { name: BROWSER_COOKIE, path: '/api/auth', lifetimeMs })
}

/** null: it has none, and so began nothing. */
export function knownBrowser(wire: Wire): string | null {
  return knownBrowserKey(wire, BROWSER_COOKIE)
}
