import { DAY } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { keepBrowserKey, newBrowserKey } from '#server/http/browser-key.ts'
import type { Wire } from '#server/http/call.ts'

const COOKIE = { name: 'secretKey', path: '/', lifetimeMs: 30 * DAY }

/** The visitor's anonymous key, kept in a cookie: it opens nothing and is stored nowhere else (design.md, Sessions). */
export function connect(ctx: Context, wire: Wire | undefined): string {
  return wire === undefined ? newBrowserKey(ctx) : keepBrowserKey(ctx, wire, COOKIE)
}
