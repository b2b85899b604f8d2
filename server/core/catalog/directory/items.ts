import type { DirectoryItem } from '#contract/content.ts'
import { parseDecimal } from '#contract/money.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { type Measured, measurePairs } from '#server/core/catalog/offers/measured.ts'
import type { CountryRow, ServiceRow } from '#server/core/catalog/offers/queries.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { slugsOf } from './slugs.ts'

/** The service `full`, the rental of a whole number, has no page of its own. */
const RENTAL_ONLY = 'full'

export function soldServices(ctx: Context): ServiceRow[] {
  return [...catalogOf(ctx).services.values()].filter(isSold)
}

function isSold(row: ServiceRow): boolean {
  return row.blocked_at === null && row.code !== RENTAL_ONLY
}

export function shownCountries(ctx: Context): CountryRow[] {
  return [...catalogOf(ctx).countries.values()].filter((row) => row.visible)
}

/** Returns the service that has the page. Throws NOT_FOUND. */
export function findService(ctx: Context, slug: string): ServiceRow {
  const row = slugsOf(catalogOf(ctx)).service.get(slug)
  if (row === undefined || !isSold(row)) throw notFound()
  return row
}

/** Returns the country that has the page. Throws NOT_FOUND. */
export function findCountry(ctx: Context, slug: string): CountryRow {
  const row = slugsOf(catalogOf(ctx)).country.get(slug)
  if (row?.visible !== true) throw notFound()
  return row
}

export function currencyOf(caller: Caller) {
  return caller.member?.currency ?? caller.zone.currency
}

export function serviceItem(ctx: Context, caller: Caller, row: ServiceRow, figures?: Measured): DirectoryItem {
  return {
    id: row.code,
    slug: slugsOf(catalogOf(ctx)).ofService.get(row.code) ?? row.code,
    name: caller.locale === 'ru' ? row.name_ru : row.name_en,
    iso2: null,
    ...(figures ?? measurePairs(catalogOf(ctx), catalogOf(ctx).pairsOfService(row.code), currencyOf(caller))),
  }
}

export function countryItem(ctx: Context, caller: Caller, row: CountryRow, figures?: Measured): DirectoryItem {
  return {
    id: row.id,
    slug: slugsOf(catalogOf(ctx)).ofCountry.get(row.id) ?? String(row.id),
    name: caller.locale === 'ru' ? row.name_ru : row.name_en,
    iso2: row.iso2,
    ...(figures ?? measurePairs(catalogOf(ctx), catalogOf(ctx).pairsOfCountry(row.id), currencyOf(caller))),
  }
}

export function byPrice(a: { price: string | null }, b: { price: string | null }): number {
  if (a.price === null || b.price === null) return Number(a.price === null) - Number(b.price === null)
  const [left, right] = [parseDecimal(a.price) ?? 0n, parseDecimal(b.price) ?? 0n]
  return left < right ? -1 : left > right ? 1 : 0
}
