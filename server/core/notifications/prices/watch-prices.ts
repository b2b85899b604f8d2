import { CURRENCIES } from '#contract/money.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Context } from '#server/house/context.ts'
import { forgetRisenPrices, type LowestPrice, tellLowPrices } from './price-queries.ts'

const BATCH = 500

export async function watchPrices(ctx: Context): Promise<number> {
  const prices = lowestPrices(ctx)
  await forgetRisenPrices(ctx.db, prices)
  return tellLowPrices(ctx.db, { prices, now: ctx.clock.now(), limit: BATCH })
}

export function lowestPrices(ctx: Context): LowestPrice[] {
  const catalog = catalogOf(ctx)
  return [...catalog.services.keys()].flatMap((serviceCode) => {
    const pairs = [...catalog.pairsOfService(serviceCode).values()]
    if (pairs.length === 0) return []
    return CURRENCIES.map((currency) => ({
      serviceCode,
      currency,
      priceMicros: pairs
        .map(({ prices }) => prices[currency])
        .reduce((least, price) => (price < least ? price : least)),
    }))
  })
}
