import { type Currency, MICROS_PER_UNIT } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { PriceScope } from './prices.ts'

export type DearOffers = {
  /**
   * `dear` is the number of offers that cost more than the price of a rule. `all` is the number of offers to which the
   * rule applies.
   */
  dear: bigint
  all: bigint
  dearest: {
    serviceCode: string
    countryId: number
    supplier: string
    costMicros: bigint
    currency: Currency
  } | null
}

/**
 * Counts offers that cost more than the price of a rule, without those under a more specific rule. If there is no
 * exchange rate, only offers in the price's currency are compared.
 */
export async function findDearOffers(
  db: Db,
  input: { scope: PriceScope; priceMicros: bigint; currency: Currency; at: Date },
): Promise<DearOffers> {
  const { rows } = await db.query<{
    dear: bigint
    all: bigint
    service_code: string | null
    country_id: number | null
    supplier: string | null
    cost_micros: bigint | null
    currency: Currency | null
  }>({
    text: `WITH rate AS (SELECT (SELECT rub_micros FROM exchange_rates WHERE currency = 'usd') AS rub_micros),
      concerned AS (
        SELECT o.*, s.code AS supplier,
          o.cost_micros::numeric * CASE o.currency WHEN $currency THEN 1
            WHEN 'usd' THEN rate.rub_micros / $microsPerUnit::numeric ELSE $microsPerUnit::numeric / rate.rub_micros END AS cost
        FROM offers o JOIN suppliers s ON s.id = o.supplier_id AND s.paused_at IS NULL CROSS JOIN rate
        WHERE o.stock > 0 AND ($serviceCode::text IS NULL OR o.service_code = $serviceCode)
          AND ($countryId::integer IS NULL OR o.country_id = $countryId)
          AND NOT EXISTS (
            SELECT FROM price_rules r
            WHERE (r.service_code IS NULL OR r.service_code = o.service_code) AND (r.country_id IS NULL OR r.country_id = o.country_id)
              AND (r.starts_at IS NULL OR r.starts_at <= $at) AND (r.ends_at IS NULL OR r.ends_at > $at)
              AND (r.service_code IS NOT NULL)::integer * 2 + (r.country_id IS NOT NULL)::integer
                > ($serviceCode::text IS NOT NULL)::integer * 2 + ($countryId::integer IS NOT NULL)::integer)
      ), counted AS (SELECT count(*) FILTER (WHERE cost > $priceMicros::bigint) AS dear, count(*) AS "all" FROM concerned)
      SELECT counted.*, d.service_code, d.country_id, d.supplier, d.cost_micros, d.currency
      FROM counted LEFT JOIN LATERAL (
        SELECT * FROM concerned WHERE cost > $priceMicros::bigint ORDER BY cost DESC, service_code, country_id
        LIMIT 1) d ON true`,
    values: { ...input, ...input.scope, microsPerUnit: MICROS_PER_UNIT },
  })
  const [row] = rows
  const { dear = 0n, all = 0n } = row ?? {}
  if (!row?.service_code || row.country_id === null || !row.supplier || row.cost_micros === null || !row.currency) {
    return { dear, all, dearest: null }
  }
  const { service_code: serviceCode, country_id: countryId, supplier, cost_micros: costMicros, currency } = row
  return { dear, all, dearest: { serviceCode, countryId, supplier, costMicros, currency } }
}
