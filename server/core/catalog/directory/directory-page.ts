import { type DirectoryItem, type DirectoryPageReply, PRICE_LIST_MAX_PAGE } from '#contract/content.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { measurePair } from '#server/core/catalog/offers/measured.ts'
import type { Pair } from '#server/core/catalog/offers/price-offer.ts'
import type { CountryRow, ServiceRow } from '#server/core/catalog/offers/queries.ts'
import type { Context } from '#server/house/context.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { codesByHour } from './codes-by-hour.ts'
import {
  byPrice,
  countryItem,
  currencyOf,
  findCountry,
  findService,
  serviceItem,
  shownCountries,
  soldServices,
} from './items.ts'
import { operatorsOf } from './list-directory.ts'
import type { Kind } from './slugs.ts'

const RELATED_SHOWN = 12

export async function getDirectoryPage(
  ctx: Context,
  caller: Caller,
  { kind, slug }: { kind: Kind; slug: string },
): Promise<DirectoryPageReply> {
  if (kind === 'countries') {
    return { status: true, data: { ...countryPage(ctx, caller, findCountry(ctx, slug)), codes_by_hour: [] } }
  }
  const service = findService(ctx, slug)
  const codes_by_hour = await codesByHour(ctx, service.code)
  return { status: true, data: { ...servicePage(ctx, caller, service), codes_by_hour } }
}

function servicePage(ctx: Context, caller: Caller, row: ServiceRow): Omit<DirectoryPageReply['data'], 'codes_by_hour'> {
  const pairs = catalogOf(ctx).pairsOfService(row.code)
  const sellers = shownCountries(ctx).filter(({ id }) => pairs.has(id))
  const offers = sellers.map((country) => countryItem(ctx, caller, country, figuresOf(caller, pairs.get(country.id))))
  return {
    item: serviceItem(ctx, caller, row),
    code: row.code,
    dial: null,
    currency: currencyOf(caller),
    ...shownOffers(offers),
    operators: [],
    can_rent: sellers.some(({ rent }) => rent),
    can_repeat: sellers.some(({ retry }) => retry),
    related: neighbours(soldServices(ctx), row).map((other) => serviceItem(ctx, caller, other)),
  }
}

function countryPage(ctx: Context, caller: Caller, row: CountryRow): Omit<DirectoryPageReply['data'], 'codes_by_hour'> {
  const pairs = catalogOf(ctx).pairsOfCountry(row.id)
  const sold = soldServices(ctx).filter(({ code }) => pairs.has(code))
  const offers = sold.map((service) => serviceItem(ctx, caller, service, figuresOf(caller, pairs.get(service.code))))
  return {
    item: countryItem(ctx, caller, row),
    code: String(row.id),
    dial: row.dial,
    currency: currencyOf(caller),
    ...shownOffers(offers),
    operators: operatorsOf(ctx, row.id),
    can_rent: row.rent,
    can_repeat: row.retry,
    related: neighbours(shownCountries(ctx), row).map((other) => countryItem(ctx, caller, other)),
  }
}

function figuresOf(caller: Caller, pair: Pair | undefined) {
  return measurePair(pair, currencyOf(caller))
}

function shownOffers(offers: DirectoryItem[]) {
  return { offers: offers.sort(byPrice).slice(0, PRICE_LIST_MAX_PAGE), offers_total: offers.length }
}

/** Returns the rows next to `row` in popularity, so that rarely visited pages are linked as well. */
function neighbours<Row>(rows: readonly Row[], row: Row): Row[] {
  const at = rows.indexOf(row)
  const from = Math.max(0, Math.min(at - RELATED_SHOWN / 2, rows.length - RELATED_SHOWN - 1))
  return rows.slice(from, from + RELATED_SHOWN + 1).filter((other) => other !== row)
}
