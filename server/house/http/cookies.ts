import type { FastifyReply, FastifyRequest } from 'fastify'
import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import type { Config } from '#server/house/config/config.ts'
import type { Context } from '#server/house/context.ts'

export const ACCESS_LIFETIME_MS = 15 * MINUTE
export const REFRESH_LIFETIME_MS = 30 * DAY

/** The cookies of the service with their lifetimes, which browsers limit to 400 days. */
const OWN_COOKIES = {
  access: { name: 'auth_token', lifetimeMs: ACCESS_LIFETIME_MS },
  refresh: { name: 'refresh_token', lifetimeMs: REFRESH_LIFETIME_MS },
  device: { name: 'device', lifetimeMs: 400 * DAY },
  registration: { name: 'registration', lifetimeMs: DAY },
} as const
export type OwnCookie = keyof typeof OWN_COOKIES

/**
 * Returns the name of a cookie. On https it has the prefix `__Host-`, so that no neighbouring domain and no page
 * without TLS can plant the cookie.
 */
export function ownCookieName(config: Config, cookie: OwnCookie): string {
  return `${isSecure(config) ? '__Host-' : ''}${OWN_COOKIES[cookie].name}`
}

export function readOwnCookie(config: Config, request: FastifyRequest, cookie: OwnCookie): string | undefined {
  return cookieOf(request, ownCookieName(config, cookie))
}

export function setOwnCookie(ctx: Context, reply: FastifyReply, cookie: OwnCookie, value: string): void {
  const maxAge = OWN_COOKIES[cookie].lifetimeMs / SECOND
  reply.setCookie(ownCookieName(ctx.config, cookie), value, { ...attributes(ctx.config), maxAge })
}

export function clearOwnCookie(ctx: Context, reply: FastifyReply, cookie: OwnCookie): void {
  reply.clearCookie(ownCookieName(ctx.config, cookie), attributes(ctx.config))
}

/** Returns true if a Cookie header may contain a token. The cheap test may be wrong, but never misses a token. */
export function mayHoldToken(cookieHeader: string): boolean {
  return cookieHeader.includes(OWN_COOKIES.access.name) || cookieHeader.includes(OWN_COOKIES.refresh.name)
}

export function cookieOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.cookies[name]
  return value === undefined || value === '' ? undefined : value
}

export function isSecure(config: Config): boolean {
  return config.publicUrl.protocol === 'https:'
}

function attributes(config: Config) {
  return { path: '/', httpOnly: true, sameSite: 'lax' as const, secure: isSecure(config) }
}
