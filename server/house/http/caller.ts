import type { FastifyRequest } from 'fastify'
import type { KeyDialect, KeyScope } from '#contract/api-key.ts'
import type { Locale } from '#contract/constants.ts'
import type { Currency } from '#contract/money.ts'
import type { UserRole } from '#contract/user.ts'
import type { Zone } from '#server/house/config/zones.ts'
import type { Context } from '#server/house/context.ts'

export type Member = {
  userId: number
  currency: Currency
  role: UserRole
  /** null: authenticated by an API key. */
  sessionId: bigint | null
  /** null: authenticated by a session. */
  key: MemberKey | null
  /** By a session: only doors that say so are open. A key is refused. */
  isBlocked?: boolean
}

export type MemberKey = {
  id: number
  /** Whose key it is; limits count by them. Of a sandbox key the member is their shadow. */
  ownerId: number
  /** It acts for the shadow account of its owner, with play money. */
  sandbox: boolean
  scopes: readonly KeyScope[]
  /** Of handler_api; null: what suits most programs. */
  dialect: KeyDialect | null
  /** It has ceilings for purchases that name none. */
  capped: boolean
  /** Tells the secrets of a key apart, of which a rotation leaves two for a while. */
  secretId: string
}

/** A session reads, and a key of that scope. */
export function mayRead({ key }: Pick<Member, 'key'>): boolean {
  return key === null || key.scopes.includes('read')
}

export function mayBuy({ key }: Pick<Member, 'key'>): boolean {
  return key === null || key.scopes.includes('buy')
}

/** Who is counted where calls are limited. */
export function countedAs({ userId, key }: Pick<Member, 'userId' | 'key'>): number {
  return key?.ownerId ?? userId
}

export type Caller = {
  member: Member | null
  locale: Locale
  zone: Zone
  address: string
  network: string
  userAgent: string
}

export type MemberCaller = Caller & { member: Member }

/**
 * Implemented by accounts/sessions/caller-of.ts, which `http` must not import. Without `admitsBlocked` it refuses blocked
 * people itself.
 */
export type CallerOf = (ctx: Context, request: FastifyRequest, doors?: { admitsBlocked: boolean }) => Promise<Caller>

export function anonymousCaller(ctx: Context, request: FastifyRequest): Caller {
  const zone = zoneOf(ctx, request)
  return {
    member: null,
    zone,
    locale: localeOf(zone, header(request, 'locale')),
    address: ctx.clients.addressOf(request.raw),
    network: ctx.clients.networkOf(request.raw),
    userAgent: header(request, 'user-agent') ?? '',
  }
}

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
