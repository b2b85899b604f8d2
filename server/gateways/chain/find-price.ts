import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/db/pool.ts'
import { findRate } from '#server/rates/queries.ts'
import type { Asset, Chain } from './chain.ts'
import type { Price } from './units.ts'

/** `at` of the older of the two rates, where there are two. */
export type FoundPrice = { price: Price; source: string; at: Date }

/** What a unit is worth to an account in this currency now. Null: a rate is missing, or too old. */
export async function findPrice(
  { ctx }: Chain,
  { db, asset, currency }: { db: Db; asset: Asset; currency: Currency },
): Promise<FoundPrice | null> {
  const since = new Date(ctx.clock.now().getTime() - asset.rateMaxAgeMs)
  const rate = await findRate(db, asset.rate)
  if (rate === null || rate.updated_at < since) return null
  if (currency === 'rub') {
    return { price: { rubMicros: rate.rub_micros, usdRubMicros: null }, source: rate.source, at: rate.updated_at }
  }
  const dollar = await findRate(db, 'usd')
  if (dollar === null || dollar.updated_at < since) return null
  return {
    price: { rubMicros: rate.rub_micros, usdRubMicros: dollar.rub_micros },
    source: `${rate.source}, ${dollar.source}`,
    at: rate.updated_at < dollar.updated_at ? rate.updated_at : dollar.updated_at,
  }
}
