import type { PriceListReply } from '#contract/content.ts'
import { rankBy } from '#contract/formats/search-names.ts'
import { countryNames, serviceNames } from '#server/core/catalog/lists/searched-names.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { measurePair } from '#server/core/catalog/offers/measured.ts'
import type { Pair } from '#server/core/catalog/offers/price-offer.ts'
import type { CountryRow, ServiceRow } from '#server/core/catalog/offers/queries.ts'
import type { Context } from '#server/house/context.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { countryItem, currencyOf, serviceItem, shownCountries, soldServices } from './items.ts'

type Filter = {
  service?: string | undefined
  country?: string | undefined
  service_id?: string | undefined
  country_id?: number | undefined
  page: number
  per_page: number
}

export function listPrices(ctx: Context, caller: Caller, filter: Filter): PriceListReply {
  const currency = currencyOf(caller)
  const { locale } = caller
  const countries = rankBy(
    shownCountries(ctx).filter(({ id }) => filter.country_id === undefined || id === filter.country_id),
    filter.country ?? '',
    (row) => countryNames(row, locale),
  )
  const services = rankBy(
    soldServices(ctx).filter(({ code }) => filter.service_id === undefined || code === filter.service_id),
    filter.service ?? '',
    (row) => serviceNames(row, locale),
  )
  const found: { service: ServiceRow; country: CountryRow; pair: Pair }[] = []
  for (const service of services) {
    const pairs = catalogOf(ctx).pairsOfService(service.code)
    if (pairs.size === 0) continue
    for (const country of countries) {
      const pair = pairs.get(country.id)
      if (pair !== undefined) found.push({ service, country, pair })
    }
  }
  const from = (filter.page - 1) * filter.per_page
  return {
    status: true,
    currency,
    data: found.slice(from, from + filter.per_page).map(({ service, country, pair }) => {
      const { price, count, success_share, median_seconds } = measurePair(pair, currency)
      return {
        service: serviceItem(ctx, caller, service),
        country: countryItem(ctx, caller, country),
        price: price ?? '0.00',
        count,
        success_share,
        median_seconds,
      }
    }),
    meta: { last_page: Math.max(1, Math.ceil(found.length / filter.per_page)), total: found.length },
  }
}
