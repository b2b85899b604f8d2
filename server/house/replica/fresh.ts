import type { FastifyReply, FastifyRequest } from 'fastify'
import { FRESH_COOKIE, FRESH_SECONDS } from '#contract/constants.ts'
import type { Context } from '#server/house/context.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { cookieOf, isSecure, readOwnCookie } from '#server/house/http/cookies.ts'

/**
 * Marks a browser that changed something, so that it reads the primary until every stand-by that is read has the change.
 * Pages set the same cookie after a live event, so it is not HttpOnly.
 */
export function markFresh({ config, replica }: Context, reply: FastifyReply): void {
  if (replica === null) return
  const attributes = { path: '/', sameSite: 'lax' as const, secure: isSecure(config) }
  reply.setCookie(FRESH_COOKIE, '1', { ...attributes, maxAge: FRESH_SECONDS })
}

/**
 * Returns the caller with the right to see what is two seconds old. A member must bring a cookie of ours, because a
 * program that keeps none would not bring the mark.
 */
export function mayLagIf(ctx: Context, request: FastifyRequest, caller: Caller): Caller {
  if (ctx.replica === null || request.method !== 'GET') return caller
  if (cookieOf(request, FRESH_COOKIE) !== undefined) return caller
  const { member } = caller
  const mayLag = member === null || (member.key === null && keepsCookies(ctx, request))
  return { ...caller, mayLag }
}

function keepsCookies({ config }: Context, request: FastifyRequest): boolean {
  return (['access', 'refresh'] as const).some((cookie) => readOwnCookie(config, request, cookie) !== undefined)
}
