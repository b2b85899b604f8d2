import { type Currency, MICROS_PER_UNIT } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'
import { findRate } from './queries.ts'

/** The price of one unit of an asset and, for an account in dollars, of a dollar; both in micros of a rouble. */
export type Price = { rubMicros: bigint; usdRubMicros: bigint | null }

/** A price with the origin of its rates, stored beside the amount that it valued. `rateAt` is the older rate's time. */
export type UsedRate = Price & { rateSource: string; rateAt: Date }

/** Returns the price of one `asset` (a name of `rate:list`), or null if a rate is missing or older than `since`. */
export async function findPrice(
  db: Db,
  { asset, currency, since }: { asset: string; currency: Currency; since: Date },
): Promise<UsedRate | null> {
  if (asset === currency) return { rubMicros: MICROS_PER_UNIT, usdRubMicros: null, rateSource: asset, rateAt: since }
  const rate = await findRate(db, asset)
  if (rate === null || rate.updated_at < since) return null
  const { rub_micros: rubMicros, source, updated_at: at } = rate
  if (currency === 'rub') return { rubMicros, usdRubMicros: null, rateSource: source, rateAt: at }
  const dollar = await findRate(db, 'usd')
  if (dollar === null || dollar.updated_at < since) return null
  return {
    rubMicros,
    usdRubMicros: dollar.rub_micros,
    rateSource: `${source}, ${dollar.source}`,
    rateAt: at < dollar.updated_at ? at : dollar.updated_at,
  }
}

export function worthOf(units: bigint, decimals: number, { rubMicros, usdRubMicros }: Price): bigint {
  const scale = 10n ** BigInt(decimals)
  if (usdRubMicros === null) return (units * rubMicros) / scale
  return (units * rubMicros * MICROS_PER_UNIT) / (scale * usdRubMicros)
}
