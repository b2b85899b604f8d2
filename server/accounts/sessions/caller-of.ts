import type { FastifyRequest } from 'fastify'
import { MINUTE } from '#contract/time.ts'
import { API_KEY_LENGTH, API_KEY_PATTERN, hashApiKey } from '#server/accounts/api-keys/api-key.ts'
import { findKeyOwner } from '#server/accounts/users/queries.ts'
import { type BoundedCache, boundedCache } from '#server/bounded-cache.ts'
import type { Context } from '#server/context.ts'
import { unauthenticated } from '#server/errors.ts'
import { anonymousCaller, type Caller, type Member } from '#server/http/caller.ts'
import { lookUpCredential } from '#server/http/credentials.ts'
import { namesSomebody, shownKey } from '#server/http/shown-key.ts'
import { findAccount } from '#server/money/accounts.ts'
import { findByAccessToken, touchSession } from './queries.ts'
import { hashToken } from './tokens.ts'

const BEARER_PATTERN = /^Bearer ([A-Za-z0-9_-]{20,200})$/i
/** Lifetime of a cached lookup; a stale hit is safe, because the purchase statement refuses blocked users. */
const KEY_MEMORY_MS = 1_000
const KEYS_REMEMBERED = 10_000
const TOUCH_INTERVAL_MS = MINUTE

/** Reads headers only, never a cookie (CSRF). Throws UNAUTHENTICATED: an anonymous answer would look signed out. */
export async function callerOf(ctx: Context, request: FastifyRequest): Promise<Caller> {
  const caller = anonymousCaller(ctx, request)
  if (!namesSomebody(request.headers)) return caller
  const token = bearerToken(request)
  const member =
    token === null ? await memberByShownKey(ctx, request, caller) : await memberByBearer(ctx, token, caller)
  if (member === null) throw unauthenticated()
  return { ...caller, member }
}

export function bearerToken(request: FastifyRequest): string | null {
  return BEARER_PATTERN.exec(request.headers.authorization ?? '')?.[1] ?? null
}

async function memberByBearer(ctx: Context, token: string, { address, network }: Caller): Promise<Member | null> {
  if (token.length === API_KEY_LENGTH) return memberByApiKey(ctx, token, network)
  const now = ctx.clock.now()
  const hash = hashToken(token)
  const session = await lookUpCredential(ctx, { kind: 'bearer', hash, network }, () =>
    findByAccessToken(ctx.db, { hash, now }),
  )
  if (session === null) return null
  if (now.getTime() - session.last_used_at.getTime() >= TOUCH_INTERVAL_MS) {
    await touchSession(ctx.db, { sessionId: session.session_id, address, now })
  }
  return { userId: session.user_id, currency: session.currency, role: session.role, sessionId: session.session_id }
}

async function memberByShownKey(ctx: Context, request: FastifyRequest, { network }: Caller): Promise<Member | null> {
  const key = shownKey(request.headers)
  return key === undefined ? null : memberByApiKey(ctx, key, network)
}

const keyMemories = new WeakMap<Context, BoundedCache<string, { member: Member | null }>>()

/** Null when the key is unknown or its owner blocked. Throws TOO_MANY_REQUESTS after too many such keys. */
export async function memberByApiKey(ctx: Context, key: string, network: string): Promise<Member | null> {
  if (!API_KEY_PATTERN.test(key)) return null
  let memory = keyMemories.get(ctx)
  if (memory === undefined) {
    memory = boundedCache(KEYS_REMEMBERED, KEY_MEMORY_MS)
    keyMemories.set(ctx, memory)
  }
  const hash = hashApiKey(key)
  const memoryKey = hash.toString('base64')
  const remembered = memory.get(memoryKey)
  if (remembered !== undefined) return remembered.member
  const member = await lookUpCredential(ctx, { kind: 'api-key', hash, network }, () => findMember(ctx, hash))
  memory.set(memoryKey, { member })
  return member
}

async function findMember(ctx: Context, keyHash: Buffer): Promise<Member | null> {
  const owner = await findKeyOwner(ctx.db, keyHash)
  const account = owner === null || owner.blocked ? null : await findAccount(ctx.db, owner.user_id)
  if (owner === null || account === null) return null
  return { userId: owner.user_id, currency: account.currency, role: 'user', sessionId: null }
}
