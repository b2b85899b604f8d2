import type { FastifyRequest } from 'fastify'
import type { Context } from '#server/house/context.ts'
import type { Member } from '#server/house/http/caller.ts'
import { readOwnCookie } from '#server/house/http/cookies.ts'
import { lookUpCredential } from '#server/house/http/credentials.ts'
import { findByAccessToken, findByRefreshToken } from '../sessions/queries.ts'
import { hashToken } from '../sessions/tokens.ts'

/** `token` is the access token that the page may use for its calls; null if only the refresh token is valid. */
export type CookieMember = { member: Member; token: string | null }

/**
 * Reads the session cookies for rendering a page. API calls never read cookies, which other sites could make browsers
 * send (CSRF). With only a valid refresh token, the page is rendered as signed in, without a bearer token
 * (docs/security.md). Returns null for a visitor. Throws TOO_MANY_REQUESTS for a network that showed many wrong tokens.
 */
export async function memberByCookie(ctx: Context, request: FastifyRequest): Promise<CookieMember | null> {
  const now = ctx.clock.now()
  const access = readOwnCookie(ctx.config, request, 'access')
  const refresh = readOwnCookie(ctx.config, request, 'refresh')
  const shown = access ?? refresh
  if (shown === undefined) return null
  const credential = {
    kind: 'cookie',
    hash: hashToken(shown),
    network: ctx.clients.networkOf(request.raw),
  } as const
  const found = await lookUpCredential(ctx, credential, async () => {
    const current = access === undefined ? null : await findByAccessToken(ctx.db, { hash: hashToken(access), now })
    if (current !== null) return { owner: current, token: access ?? null }
    const owner = refresh === undefined ? null : await findByRefreshToken(ctx.db, { hash: hashToken(refresh), now })
    return owner === null ? null : { owner, token: null }
  })
  if (found === null) return null
  const { user_id: userId, currency, role, session_id: sessionId, blocked: isBlocked } = found.owner
  return { member: { userId, currency, role, sessionId, key: null, isBlocked }, token: found.token }
}
