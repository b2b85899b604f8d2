import { hashToken } from '#server/core/accounts/sessions/tokens.ts'
import type { Context } from '#server/house/context.ts'
import type { Wire } from '#server/house/http/call.ts'
import { clearOwnCookie, readOwnCookie, setOwnCookie } from '#server/house/http/cookies.ts'

const ID_BYTES = 32
const ID_PATTERN = /^[\w-]{43}$/

/** Returns a new browser id for each registration, so that a planted id is useless (session fixation). */
export function newBrowserId(ctx: Context): string {
  return ctx.random.bytes(ID_BYTES).toString('base64url')
}

export function knownBrowserHash(ctx: Context, wire: Wire | undefined): Buffer | null {
  const id = wire === undefined ? undefined : readOwnCookie(ctx.config, wire.request, 'registration')
  return id !== undefined && ID_PATTERN.test(id) ? hashToken(id) : null
}

export function giveBrowserId(ctx: Context, wire: Wire | undefined, id: string): void {
  if (wire !== undefined) setOwnCookie(ctx, wire.reply, 'registration', id)
}

export function forgetBrowserId(ctx: Context, wire: Wire | undefined): void {
  if (wire !== undefined) clearOwnCookie(ctx, wire.reply, 'registration')
}
