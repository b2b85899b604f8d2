import { type Currency, MICROS_PER_UNIT } from '#contract/money.ts'
import type { Db } from '#server/db/pool.ts'
import { findRate } from './queries.ts'

/** Roubles for a unit of the asset, and for a dollar where the account is in dollars. In micros. */
export type Price = { rubMicros: bigint; usdRubMicros: bigint | null }

/** `at` of the older of the two rates, where there are two. */
export type FoundPrice = { price: Price; source: string; at: Date }

/** What is stored beside a sum that a rate decided. */
export type UsedRate = Price & { rateSource: string; rateAt: Date }

export function toUsedRate({ price, source: rateSource, at: rateAt }: FoundPrice): UsedRate {
  return { ...price, rateSource, rateAt }
}

/** What a unit of `asset`, as `rate:list` has it, is worth to an account in this currency now. Null: a rate is missing, or older than `since`. */
export async function findPrice(
  db: Db,
  { asset, currency, since }: { asset: string; currency: Currency; since: Date },
): Promise<FoundPrice | null> {
  if (asset === currency) return { price: { rubMicros: MICROS_PER_UNIT, usdRubMicros: null }, source: asset, at: since }
  const rate = await findRate(db, asset)
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

/** Micros of the account, rounded down. */
export function worthOf(units: bigint, decimals: number, { rubMicros, usdRubMicros }: Price): bigint {
  const scale = 10n ** BigInt(decimals)
  if (usdRubMicros === null) return (units * rubMicros) / scale
  return (units * rubMicros * MICROS_PER_UNIT) / (scale * usdRubMicros)
}
