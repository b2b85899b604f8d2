import type { Currency } from '#contract/money.ts'
import { findUsdRate } from '#server/core/catalog/offers/queries.ts'
import { PriceRules } from '#server/core/catalog/rules/price-rules.ts'
import { findRoundings, listFullPromotions, listRulesAt } from '#server/core/catalog/rules/rule-queries.ts'
import type { Db } from '#server/house/db/pool.ts'
import { listPairCosts, type PriceScope } from '#server/programs/cli/queries/prices.ts'
import { isCovered, priceOf } from './price-effects.ts'

/** Amounts are in `currency`, which is the currency of the price. */
export type UnsoldPair = { name: string; priceMicros: bigint; costMicros: bigint; currency: Currency }

/**
 * Lists pairs in stock that nobody can buy, because a fixed price is below the lowest cost. The alarm price-below-cost
 * reports the same pairs. The result is sorted by name.
 */
export async function listBelowCost(db: Db, { scope, now }: { scope: PriceScope; now: Date }): Promise<UnsoldPair[]> {
  const rubMicrosPerUsd = await findUsdRate(db)
  if (rubMicrosPerUsd === null) return []
  const terms = { rates: { rubMicrosPerUsd }, rounding: await findRoundings(db) }
  const rows = await listRulesAt(db, now)
  const ids = rows.flatMap(({ promotion_id: id }) => id ?? [])
  const full = new Set(await listFullPromotions(db, { ids, now }))
  const rules = new PriceRules(rows, full)
  // If a promotion covers no sale, the price without the promotion applies.
  const lasting = new PriceRules(rows.filter(({ promotion_id: id }) => id === null))
  const unsold = (await listPairCosts(db, scope)).flatMap((pair): UnsoldPair[] => {
    const rule = lasting.find(pair.service_code, pair.country_id)
    if (rule.kind !== 'fixed') return []
    const { currency } = rule
    if (isCovered(pair, { rules, terms }, currency) || isCovered(pair, { rules: lasting, terms }, currency)) return []
    const { micros: priceMicros, costMicros } = priceOf(pair, { rule, currency, terms })
    return [{ name: `${pair.service_code}/${pair.country_id}`, priceMicros, costMicros, currency }]
  })
  return unsold.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
