import type { FastifyRequest } from 'fastify'
import { MINUTE } from '#contract/time.ts'
import { API_KEY_LENGTH } from '#server/core/accounts/api-keys/api-key.ts'
import { memberByApiKey } from '#server/core/accounts/api-keys/member-by-key.ts'
import type { Context } from '#server/house/context.ts'
import { blocked, unauthenticated, unknownKey } from '#server/house/errors/errors.ts'
import { anonymousCaller, type Caller, type Member } from '#server/house/http/caller.ts'
import { lookUpCredential } from '#server/house/http/credentials.ts'
import { aboutUser } from '#server/house/http/door/refusals.ts'
import { namesSomebody, shownKey } from '#server/house/http/shown-key.ts'
import { findByAccessToken, findLiveSession, touchSession } from '../sessions/queries.ts'
import { hashToken } from '../sessions/tokens.ts'

const BEARER_PATTERN = /^Bearer ([A-Za-z0-9_-]{20,200})$/i
const TOUCH_INTERVAL_MS = MINUTE

/**
 * Returns the caller by the request's headers, never by a cookie (CSRF). A bad token throws UNAUTHENTICATED, because an
 * anonymous answer would look like a sign-out. Throws BLOCKED unless the route admits blocked users.
 */
export async function callerOf(
  ctx: Context,
  request: FastifyRequest,
  { admitsBlocked }: { admitsBlocked: boolean } = { admitsBlocked: false },
): Promise<Caller> {
  const caller = anonymousCaller(ctx, request)
  if (!namesSomebody(request.headers)) return caller
  const member = await memberBy(ctx, request, caller)
  if (member === null) throw unauthenticated()
  if (member.isBlocked === true && !admitsBlocked) throw aboutUser(blocked(), member.userId)
  return { ...caller, member }
}

/**
 * Checks the caller of a long call again, by session, because the caller's token may have expired meanwhile. Throws
 * UNAUTHENTICATED, BLOCKED.
 */
export async function memberNow(ctx: Context, request: FastifyRequest, begunBy: Member): Promise<Member> {
  const { sessionId, userId } = begunBy
  if (sessionId === null) {
    const { member } = await callerOf(ctx, request)
    if (member === null) throw unauthenticated()
    return member
  }
  const session = await findLiveSession(ctx.db, { sessionId, now: ctx.clock.now() })
  if (session === null) throw unauthenticated()
  if (session.blocked) throw aboutUser(blocked(), userId)
  return begunBy
}

export function bearerToken(request: FastifyRequest): string | null {
  return BEARER_PATTERN.exec(request.headers.authorization ?? '')?.[1] ?? null
}

async function memberBy(ctx: Context, request: FastifyRequest, caller: Caller): Promise<Member | null> {
  const token = bearerToken(request)
  const key = token === null ? shownKey(request.headers) : token.length === API_KEY_LENGTH ? token : undefined
  const { address, network } = caller
  if (key !== undefined) {
    const member = await memberByApiKey(ctx, { key, address, network, call: () => callOf(request) })
    if (member === null) throw unknownKey()
    return member
  }
  // An unreadable header comes from a program, often one that sends `Bearer` without a key.
  if (token === null) throw unknownKey()
  return memberBySession(ctx, token, caller)
}

/** Returns method and route path for the log, which must never contain the URL that the caller wrote. */
function callOf({ method, routeOptions }: FastifyRequest): string {
  return `${method} ${(routeOptions.url ?? '').replaceAll(/:(\w+)/g, '{$1}')}`
}

async function memberBySession(ctx: Context, token: string, { address, network }: Caller): Promise<Member | null> {
  const now = ctx.clock.now()
  const hash = hashToken(token)
  const session = await lookUpCredential(ctx, { kind: 'bearer', hash, network }, () =>
    findByAccessToken(ctx.db, { hash, now }),
  )
  if (session === null) return null
  if (now.getTime() - session.last_used_at.getTime() >= TOUCH_INTERVAL_MS) {
    await touchSession(ctx.db, { sessionId: session.session_id, address, now })
  }
  const { user_id: userId, currency, role, session_id: sessionId } = session
  return { userId, currency, role, sessionId, key: null, isBlocked: session.blocked }
}
