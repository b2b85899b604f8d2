import { hashToken } from '#server/accounts/sessions/tokens.ts'
import type { Context } from '#server/context.ts'
import type { Wire } from '#server/http/call.ts'
import { clearOwnCookie, readOwnCookie, setOwnCookie } from '#server/http/cookies.ts'

const ID_BYTES = 32
const ID_PATTERN = /^[\w-]{43}$/

/** Made anew with each registration, so that one planted in a browser is of no use. */
export function newBrowserId(ctx: Context): string {
  return ctx.random.bytes(ID_BYTES).toString('base64url')
}

/** SHA-256 of the id this browser holds; null when it holds none. */
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
