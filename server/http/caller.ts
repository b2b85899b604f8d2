import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Locale } from '#contract/constants.ts'
import type { Currency } from '#contract/money.ts'
import type { Zone } from '#server/config.ts'
import type { Context } from '#server/context.ts'
import { findByAccessToken } from '#server/features/sessions/queries.ts'
import { hashToken } from '#server/features/sessions/tokens.ts'
import { API_KEY_LENGTH, API_KEY_PATTERN, hashApiKey } from '#server/features/users/api-key.ts'
import { findKeyOwner } from '#server/features/users/queries.ts'
import { findAccount } from '#server/money/accounts.ts'

/** A person or program that is known: by a session's bearer token, or by an API key. */
export type Member = {
  userId: number
  currency: Currency
  role: 'user' | 'operator'
  /** null: came with an API key. */
  sessionId: bigint | null
}

/** Who asks, in which language, through which zone. */
export type Caller = {
  member: Member | null
  locale: Locale
  zone: Zone
  address: string
  userAgent: string
}

const BEARER_PATTERN = /^Bearer ([A-Za-z0-9_-]{20,200})$/i
/** API keys are looked up once in this time; blocking a user is seen by the purchase itself, whatever is remembered here. */
const KEY_MEMORY_MS = 1_000
const KEYS_REMEMBERED = 10_000

/** The caller of an API call: only the Authorization header counts, never a cookie, so that no other site can act for a person. */
export async function callerOf(ctx: Context, request: FastifyRequest): Promise<Caller> {
  const token = BEARER_PATTERN.exec(request.headers.authorization ?? '')?.[1]
  return { ...anonymousCaller(ctx, request), member: token === undefined ? null : await memberByBearer(ctx, token) }
}

export function anonymousCaller(ctx: Context, request: FastifyRequest): Caller {
  const zone = zoneOf(ctx, request)
  return {
    member: null,
    zone,
    locale: localeOf(zone, header(request, 'locale')),
    address: request.ip,
    userAgent: header(request, 'user-agent') ?? '',
  }
}

/** A session's access token, or an API key used as a bearer. */
async function memberByBearer(ctx: Context, token: string): Promise<Member | null> {
  if (token.length === API_KEY_LENGTH) return memberByApiKey(ctx, token)
  const session = await findByAccessToken(ctx.db, { hash: hashToken(token), now: ctx.clock.now() })
  if (session === null) return null
  return { userId: session.user_id, currency: session.currency, role: session.role, sessionId: session.session_id }
}

const keyMemories = new WeakMap<Context, LRUCache<string, { member: Member | null }>>()

/** null when the key is nobody's or its owner is blocked. */
export async function memberByApiKey(ctx: Context, key: string): Promise<Member | null> {
  if (!API_KEY_PATTERN.test(key)) return null
  let memory = keyMemories.get(ctx)
  if (memory === undefined) {
    memory = new LRUCache({ max: KEYS_REMEMBERED, ttl: KEY_MEMORY_MS })
    keyMemories.set(ctx, memory)
  }
  const hash = hashApiKey(key)
  const memoryKey = hash.toString('base64')
  const remembered = memory.get(memoryKey)
  if (remembered !== undefined) return remembered.member
  const owner = await findKeyOwner(ctx.db, hash)
  const account = owner === null || owner.blocked ? null : await findAccount(ctx.db, owner.user_id)
  const member: Member | null =
    owner === null || account === null
      ? null
      : { userId: owner.user_id, currency: account.currency, role: 'user', sessionId: null }
  memory.set(memoryKey, { member })
  return member
}

/** The zone is named by the host people came through; a program may name one with the header `Zone`. */
export function zoneOf(ctx: Context, request: FastifyRequest): Zone {
  const { zones } = ctx.config
  const named = header(request, 'zone')
  const found = zones.find((zone) => zone.name === named) ?? zones.find((zone) => zone.hosts.includes(request.hostname))
  const first = found ?? zones[0]
  if (first === undefined) throw new Error('there is no zone')
  return first
}

export function localeOf(zone: Zone, wanted: string | undefined): Locale {
  const language = wanted?.slice(0, 2).toLowerCase()
  const first = zone.locales.find((locale) => locale === language) ?? zone.locales[0]
  if (first === undefined) throw new Error(`zone ${zone.name} has no language`)
  return first
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}
