import type { DirectoryItem, DirectoryPageReply } from '#contract/content.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { measurePair } from '#server/core/catalog/offers/measured.ts'
import type { Pair } from '#server/core/catalog/offers/price-offer.ts'
import type { CountryRow, ServiceRow } from '#server/core/catalog/offers/queries.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { byPrice, countryItem, currencyOf, serviceItem, shownCountries, soldServices } from './items.ts'
import { operatorsOf } from './list-directory.ts'
import { type Kind, slugsOf } from './slugs.ts'

const OFFERS_SHOWN = 100
const RELATED_SHOWN = 12

export function getDirectoryPage(
  ctx: Context,
  caller: Caller,
  wanted: { kind: Kind; slug: string },
): DirectoryPageReply {
  const slugs = slugsOf(catalogOf(ctx))
  const service = slugs.service.get(wanted.slug)
  const country = slugs.country.get(wanted.slug)
  if (wanted.kind === 'services' && service !== undefined && soldServices(ctx).includes(service)) {
    return { status: true, data: servicePage(ctx, caller, service) }
  }
  if (wanted.kind === 'countries' && country?.visible === true) {
    return { status: true, data: countryPage(ctx, caller, country) }
  }
  throw notFound()
}

function servicePage(ctx: Context, caller: Caller, row: ServiceRow): DirectoryPageReply['data'] {
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

function countryPage(ctx: Context, caller: Caller, row: CountryRow): DirectoryPageReply['data'] {
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
  return { offers: offers.sort(byPrice).slice(0, OFFERS_SHOWN), offers_total: offers.length }
}

/** Returns the rows next to `row` in popularity, so that rarely visited pages are linked as well. */
function neighbours<Row>(rows: readonly Row[], row: Row): Row[] {
  const at = rows.indexOf(row)
  const from = Math.max(0, Math.min(at - RELATED_SHOWN / 2, rows.length - RELATED_SHOWN - 1))
  return rows.slice(from, from + RELATED_SHOWN + 1).filter((other) => other !== row)
}
