import type { FastifyReply } from 'fastify'
import type { Context } from '#server/house/context.ts'
import type { Wire } from '#server/house/http/call.ts'
import { clearOwnCookie, readOwnCookie, setOwnCookie } from '#server/house/http/cookies.ts'
import { rememberCredential } from '#server/house/http/credentials.ts'
import { hashToken, type Tokens } from './tokens.ts'

/** Sets a session's token cookies, which serve only to render pages, to refresh and to sign out. */
export function setTokenCookies(ctx: Context, reply: FastifyReply, tokens: Tokens): void {
  rememberCredential(ctx, hashToken(tokens.access))
  rememberCredential(ctx, hashToken(tokens.refresh))
  setOwnCookie(ctx, reply, 'access', tokens.access)
  setOwnCookie(ctx, reply, 'refresh', tokens.refresh)
}

export function clearTokenCookies(ctx: Context, reply: FastifyReply): void {
  clearOwnCookie(ctx, reply, 'access')
  clearOwnCookie(ctx, reply, 'refresh')
}

const DEVICE_BYTES = 16
const DEVICE_PATTERN = /^[\w-]{22}$/

/**
 * Returns the browser's device token, or a new one. The token recognises a browser and grants nothing. Returns null if
 * the call came without an HTTP request.
 */
export function deviceToken(ctx: Context, wire: Wire | undefined): string | null {
  if (wire === undefined) return null
  return keptDevice(ctx, wire) ?? ctx.random.bytes(DEVICE_BYTES).toString('base64url')
}

export function keptDeviceHash(ctx: Context, wire: Wire | undefined): Buffer | null {
  const kept = wire === undefined ? null : keptDevice(ctx, wire)
  return kept === null ? null : hashToken(kept)
}

function keptDevice(ctx: Context, wire: Wire): string | null {
  const kept = readOwnCookie(ctx.config, wire.request, 'device')
  return kept !== undefined && DEVICE_PATTERN.test(kept) ? kept : null
}

export function setDeviceCookie(ctx: Context, reply: FastifyReply, device: string): void {
  setOwnCookie(ctx, reply, 'device', device)
}
