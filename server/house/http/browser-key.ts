import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import type { Wire } from './call.ts'
import { cookieOf } from './cookies.ts'

const KEY_BYTES = 32
const KEY_PATTERN = /^[A-Za-z0-9_-]{43}$/

export type KeyCookie = { name: string; path: string; lifetimeMs: number }

export function keepBrowserKey(ctx: Context, wire: Wire, { name, path, lifetimeMs }: KeyCookie): string {
  const key = knownBrowserKey(wire, name) ?? newBrowserKey(ctx)
  wire.reply.setCookie(name, key, {
    path,
    httpOnly: true,
    sameSite: 'lax',
    secure: ctx.config.publicUrl.protocol === 'https:',
    maxAge: lifetimeMs / SECOND,
  })
  return key
}

export function knownBrowserKey(wire: Wire, name: string): string | null {
  const key = cookieOf(wire.request, name)
  return key !== undefined && KEY_PATTERN.test(key) ? key : null
}

export function newBrowserKey(ctx: Context): string {
  return ctx.random.bytes(KEY_BYTES).toString('base64url')
}
