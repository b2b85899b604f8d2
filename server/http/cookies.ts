import type { FastifyReply, FastifyRequest } from 'fastify'
import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import type { Config } from '#server/config/config.ts'
import type { Context } from '#server/context.ts'

/** An access token is exchanged after this long. */
export const ACCESS_LIFETIME_MS = 15 * MINUTE
/** A session that is not used for this long is over. */
export const REFRESH_LIFETIME_MS = 30 * DAY

/**
 * Cookies that only we write and read. `device` tells one browser of a person from another at sign-in, and nothing else;
 * `registration` says which waiting registration is this browser's. No browser keeps a cookie for longer than 400 days.
 */
const OWN_COOKIES = {
  access: { name: 'auth_token', lifetimeMs: ACCESS_LIFETIME_MS },
  refresh: { name: 'refresh_token', lifetimeMs: REFRESH_LIFETIME_MS },
  device: { name: 'device', lifetimeMs: 400 * DAY },
  registration: { name: 'registration', lifetimeMs: DAY },
} as const
export type OwnCookie = keyof typeof OWN_COOKIES

/**
 * On https with the prefix that browsers believe from this host by TLS alone: neither a neighbour's domain nor a page
 * without TLS plants one. The name of the other scheme is never read.
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

/** Whether a `Cookie` header may hold a token, under whichever name: quick, and never wrong in saying no. */
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
