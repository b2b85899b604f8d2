import type { PriceListReply } from '#contract/content.ts'
import { measurePair } from '#server/core/catalog/offers/measured.ts'
import type { Context } from '#server/house/context.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { findPrices, type PricesWanted } from './find-prices.ts'
import { countryItem, currencyOf, serviceItem } from './items.ts'

export function listPrices(
  ctx: Context,
  caller: Caller,
  filter: PricesWanted & { page: number; per_page: number },
): PriceListReply {
  const currency = currencyOf(caller)
  const found = findPrices(ctx, caller, filter)
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
