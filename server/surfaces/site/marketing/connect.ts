import { DAY } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { keepBrowserKey, newBrowserKey } from '#server/house/http/browser-key.ts'
import type { Wire } from '#server/house/http/call.ts'

const COOKIE = { name: 'secretKey', path: '/', lifetimeMs: 30 * DAY }

/**
 * Returns the browser's anonymous key from its cookie, or a new key. The key grants nothing and is stored only in the
 * cookie (docs/security.md).
 */
export function connect(ctx: Context, wire: Wire | undefined): string {
  return wire === undefined ? newBrowserKey(ctx) : keepBrowserKey(ctx, wire, COOKIE)
}
