import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Api, PageSession } from '#contract/calls/calls.ts'
import { MIN_SHARES, PRICE_LIST_SORTS } from '#contract/content.ts'
import { isTimeZone } from '#contract/formats/time-zone.ts'
import { type PageRequest, type PageRoute, THEMES, type Theme, TIME_ZONE_COOKIE } from '#contract/page-request.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { alternatesOf, originOf } from '#server/house/config/zone-origin.ts'
import type { Context } from '#server/house/context.ts'
import { acceptedLocales } from '#server/house/http/accepted-locale.ts'
import { zoneOf } from '#server/house/http/caller.ts'
import { cookieOf, mayHoldToken, readOwnCookie } from '#server/house/http/cookies.ts'
import { viewLocale } from '#server/house/http/view-locale.ts'

export type PageView = Omit<PageRequest, 'session' | 'settings' | 'api'>

export type PageVisitor = { session: PageSession; api: Api }

export const PAYLOAD_NAME = '/_payload.json'
/** The maximum length of a query value. No filter is longer, and longer values would only fill the cache. */
const QUERY_VALUE_MAX_LENGTH = 200

/** Splits off the ending of a request for page data: `/faq/_payload.json` asks for the data of `/faq`. */
export function splitPayload(pathname: string): { pathname: string; wantsPayload: boolean } {
  if (!pathname.endsWith(PAYLOAD_NAME)) return { pathname, wantsPayload: false }
  return { pathname: pathname.slice(0, -PAYLOAD_NAME.length) || '/', wantsPayload: true }
}

/** Returns the path in lower case, or null if it already is in lower case. Percent escapes keep their case. */
export function lowerCasePath(pathname: string): string | null {
  const lower = pathname.replace(/%[0-9a-f]{2}|[A-Z]+/gi, (part) => (part.startsWith('%') ? part : part.toLowerCase()))
  if (lower === pathname) return null
  // Browsers read `//host` and `/\host` as another site, so several slashes become one.
  return lower.replace(/^[/\\]+/, '/')
}

/**
 * Keeps only the `allowed` query parameters and sorts them, so that campaign tags and the typed order create no further
 * cache keys.
 */
export function pageQuery(search: string, allowed: readonly string[]): string {
  const given = new URLSearchParams(search)
  const kept = new URLSearchParams()
  for (const name of [...allowed].sort()) {
    const value = given.get(name)
    if (value !== null && value !== '' && value.length <= QUERY_VALUE_MAX_LENGTH) kept.set(name, value)
  }
  const text = kept.toString()
  return text === '' ? '' : `?${text}`
}

/**
 * Returns the query parameters that a page may have. A path that equals no route may have those of all routes with path
 * parameters.
 */
export function allowedQuery(routes: readonly PageRoute[], pathname: string): readonly string[] {
  const bare = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname
  const exact = routes.find(({ path }) => path === bare)
  return exact?.query ?? [...new Set(routes.filter(({ path }) => path.includes(':')).flatMap(({ query }) => query))]
}

export type KnownValues = Readonly<Record<string, (value: string) => boolean>>

export function knownValues(ctx: Pick<Context, 'memory'>): KnownValues {
  const catalog = catalogOf(ctx)
  return {
    service: (value) => catalog.services.has(value),
    country: (value) => COUNTRY_PATTERN.test(value) && catalog.countries.has(Number(value)),
    page: (value) => PAGE_PATTERN.test(value),
    letter: (value) => value.length <= LETTER_MAX_LENGTH,
    sort: (value) => PRICE_LIST_SORTS.some((sort) => sort === value),
    min_share: (value) => MIN_SHARES.some((share) => String(share) === value),
    by: (value) => value === 'country',
    pick: (value) => value === '1',
    all: (value) => value === '1',
  }
}

const COUNTRY_PATTERN = /^(?:0|[1-9]\d{0,8})$/
const PAGE_PATTERN = /^[1-9]\d{0,3}$/
const LETTER_MAX_LENGTH = 4
const HOME = '/'
const OF_CATALOGUE = ['service', 'country']

/**
 * Removes query parameters that cannot change a visitor's page. Returns `keep` as false if a remaining value is free
 * text, which must not fill the cache.
 */
export function visitorQuery(
  { pathname, search }: Pick<URL, 'pathname' | 'search'>,
  known: KnownValues,
): { search: string; keep: boolean } {
  const kept = new URLSearchParams(search)
  // On pages other than the home page, such as /price, the catalogue's parameters are search words.
  for (const name of pathname === HOME ? OF_CATALOGUE : []) {
    const value = kept.get(name)
    if (value !== null && known[name]?.(value) !== true) kept.delete(name)
  }
  // A price limit belongs to a signed-in member, so no visitor's page shows one.
  if (pathname === HOME) kept.delete('max')
  const text = kept.toString()
  const keep = [...kept].every(([name, value]) => known[name]?.(value) === true)
  return { search: text === '' ? '' : `?${text}`, keep }
}

export function pageView(ctx: Context, request: FastifyRequest, input: { pathname: string; search: string }): PageView {
  const { config } = ctx
  const { maintenanceMessage: message } = config
  const zone = zoneOf(ctx, request)
  return {
    url: new URL(input.pathname.replace(/^\/+/, '/') + input.search, config.publicUrl.origin),
    locale: viewLocale(zone, request),
    locales: zone.locales,
    theme: themeOf(cookieOf(request, 'theme')),
    browserTimeZone: knownTimeZone(cookieOf(request, TIME_ZONE_COOKIE)),
    zone: { name: zone.name, currency: zone.currency },
    now: ctx.clock.now().toISOString(),
    publicUrl: originOf(config, zone),
    alternates: alternatesOf(config),
    indexing: zone.indexing,
    refused: message === null ? null : { httpStatus: 503, code: 'MAINTENANCE', message },
  }
}

export function bringsToken({ config }: Context, request: FastifyRequest): boolean {
  const brings = (cookie: 'access' | 'refresh') => readOwnCookie(config, request, cookie) !== undefined
  return brings('access') || brings('refresh')
}

const REQUEST_KEY_MAX_LENGTH = 2_000

/**
 * Returns a cache key of everything that decides the answer to a visitor's GET. Returns null if the request may hold a
 * token, because somebody may be signed in.
 */
export function requestKey({ method, url, headers }: IncomingMessage): string | null {
  // Only Fastify decides which proxy headers to trust.
  if (method !== 'GET' || headers['x-forwarded-host'] !== undefined) return null
  if (url?.startsWith('/api/')) return null
  const { cookie = '' } = headers
  if (mayHoldToken(cookie)) return null
  const { host, zone, 'accept-encoding': encoding, 'if-none-match': etag } = headers
  // The key has the parsed languages, because browsers write Accept-Language in many ways.
  const parts = [url, host, encoding, etag, zone, acceptedLocales(headers).join(), shownBy(cookie)]
  const key = parts.join('\n')
  return key.length > REQUEST_KEY_MAX_LENGTH ? null : key
}

/** Returns an answered request's cache key, or null if Fastify parsed the cookies differently from `requestKey`. */
export function answeredKey(request: FastifyRequest): string | null {
  const { cookie = '' } = request.raw.headers
  const isSame = shownBy(cookie) === `${cookieOf(request, 'locale') ?? ''}\n${cookieOf(request, 'theme') ?? ''}`
  return isSame ? requestKey(request.raw) : null
}

const LOCALE_COOKIE = /(?:^|;) *locale=([^;]*)/
const THEME_COOKIE = /(?:^|;) *theme=([^;]*)/

function shownBy(cookie: string): string {
  if (cookie === '') return '\n'
  return `${LOCALE_COOKIE.exec(cookie)?.[1] ?? ''}\n${THEME_COOKIE.exec(cookie)?.[1] ?? ''}`
}

function knownTimeZone(cookie: string | undefined): string | null {
  return cookie !== undefined && isTimeZone(cookie) ? cookie : null
}

function themeOf(cookie: string | undefined): Theme {
  return THEMES.find((theme) => theme === cookie) ?? 'light'
}
