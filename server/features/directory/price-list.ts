import type { PriceListReply } from '#contract/content.ts'
import type { Context } from '#server/context.ts'
import type { Pair } from '#server/features/catalog/catalog-index.ts'
import { measurePair } from '#server/features/catalog/measured.ts'
import type { CountryRow, ServiceRow } from '#server/features/catalog/queries.ts'
import type { Caller } from '#server/http/caller.ts'
import { countryItem, currencyOf, serviceItem, shownCountries, soldServices } from './items.ts'

type Filter = {
  service?: string | undefined
  country?: string | undefined
  service_id?: string | undefined
  country_id?: number | undefined
  page: number
  per_page: number
}

/** What every pair in stock costs, by popularity of the service and then of the country. */
export function listPrices(ctx: Context, caller: Caller, filter: Filter): PriceListReply {
  const currency = currencyOf(caller)
  const countries = shownCountries(ctx).filter(
    (row) =>
      (filter.country_id === undefined || row.id === filter.country_id) &&
      isNamed(row, filter.country, `${row.iso2}\n+${row.dial}`),
  )
  const services = soldServices(ctx).filter(
    (row) =>
      (filter.service_id === undefined || row.code === filter.service_id) && isNamed(row, filter.service, row.code),
  )
  const found: { service: ServiceRow; country: CountryRow; pair: Pair }[] = []
  for (const service of services) {
    const pairs = ctx.catalog.pairsOfService(service.code)
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

function isNamed(row: { name_en: string; name_ru: string }, search: string | undefined, more: string): boolean {
  const wanted = search?.trim().toLowerCase() ?? ''
  return wanted === '' || `${row.name_en}\n${row.name_ru}\n${more}`.toLowerCase().includes(wanted)
}
