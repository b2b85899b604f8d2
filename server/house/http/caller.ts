import type { FastifyRequest } from 'fastify'
import type { KeyDialect, KeyScope } from '#contract/api-key.ts'
import type { Locale } from '#contract/constants.ts'
import type { Currency } from '#contract/money.ts'
import { contentLocale, type InterfaceLocale } from '#contract/settings/languages.ts'
import type { UserRole } from '#contract/user.ts'
import type { Zone } from '#server/house/config/zones.ts'
import type { Context } from '#server/house/context.ts'

export type Member = {
  userId: number
  currency: Currency
  role: UserRole
  sessionId: bigint | null
  key: MemberKey | null
  /** Set for a blocked member's session, which only some calls admit. A blocked member's API key is refused. */
  isBlocked?: boolean
}

export type MemberKey = {
  id: number
  /** The account that owns the API key. Limits count for the owner, because a sandbox key acts for a shadow account. */
  ownerId: number
  /** True for a sandbox key, which acts for the owner's shadow account and spends play money. */
  sandbox: boolean
  scopes: readonly KeyScope[]
  /** The dialect in which handler_api answers the API key; null means the default dialect. */
  dialect: KeyDialect | null
  /** True if the API key has maximum prices, which apply to purchases that name no maximum price. */
  capped: boolean
  /** Tells the secrets of one API key apart, because after a rotation two of them are valid for a while. */
  secretId: string
}

export function mayRead({ key }: Pick<Member, 'key'>): boolean {
  return key === null || key.scopes.includes('read')
}

export function mayBuy({ key }: Pick<Member, 'key'>): boolean {
  return key === null || key.scopes.includes('buy')
}

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
  /** True if lists may show this caller what is two seconds old, because nothing newer has been told to the caller. */
  mayLag?: boolean
}

export type MemberCaller = Caller & { member: Member }

/**
 * Finds the caller of a request and refuses blocked people unless `admitsBlocked`. Implemented by
 * accounts/sign-in/caller-of.ts, because `http` must not import `accounts`.
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
  return contentLocale(offeredLocale(zone, wanted))
}

export function offeredLocale(zone: Zone, wanted: string | undefined): InterfaceLocale {
  const language = wanted?.slice(0, 2).toLowerCase()
  const first = zone.locales.find((locale) => locale === language) ?? zone.locales[0]
  if (first === undefined) throw new Error(`zone ${zone.name} has no language`)
  return first
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}
