import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'

export type PriceScope = { serviceCode: string | null; countryId: number | null }
export type PriceRule = { marginPercent: number } | { priceMicros: bigint; currency: Currency; belowCost?: LossLimits }

/** The maximum loss of one sale, and of all sales, in the currency of the price. */
export type LossLimits = { saleLimitMicros: bigint; limitMicros: bigint }

type StoredRule = {
  margin_percent: number | null
  price_micros: bigint | null
  currency: Currency | null
  sale_limit_micros: bigint | null
  limit_micros: bigint | null
}

/** Returns the names of the service and country of a rule, or null if either is unknown. */
export async function nameScope(
  db: Db,
  scope: PriceScope,
): Promise<{ service: string | null; country: string | null }> {
  const { rows } = await db.query<{ service: string | null; country: string | null }>({
    text: `SELECT (SELECT name_en FROM services WHERE code = $1) AS service,
      (SELECT name_en FROM countries WHERE id = $2) AS country`,
    values: [scope.serviceCode, scope.countryId],
  })
  return rows[0] ?? { service: null, country: null }
}

/** Lists up to ten services and countries of the given price rules that do not exist, such as `service zz`. */
export async function listUnknownScopes(db: Db, scopes: readonly PriceScope[]): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>({
    text: `SELECT 'service ' || code AS name FROM (SELECT DISTINCT unnest($serviceCodes::text[]) AS code) g
        WHERE NOT EXISTS (SELECT FROM services s WHERE s.code = g.code)
      UNION ALL SELECT 'country ' || id FROM (SELECT DISTINCT unnest($countryIds::integer[]) AS id) g
        WHERE NOT EXISTS (SELECT FROM countries c WHERE c.id = g.id)
      ORDER BY name LIMIT 10`,
    values: {
      serviceCodes: scopes.flatMap(({ serviceCode }) => serviceCode ?? []),
      countryIds: scopes.flatMap(({ countryId }) => countryId ?? []),
    },
  })
  return rows.map(({ name }) => name)
}

type StoredPeriod = { starts_at: Date | null; ends_at: Date | null }

/** The period of a price rule. A rule without an end applies until a later rule begins. */
export type PricePeriod = { startsAt: Date | null; endsAt: Date | null }

const FOR_GOOD: PricePeriod = { startsAt: null, endsAt: null }

/** Locks and returns the rules of exactly this service and country that have not ended, the current one first. */
export async function lockRules(
  tx: Db,
  input: { scope: PriceScope; now: Date },
): Promise<(PricePeriod & { rule: PriceRule })[]> {
  const { rows } = await tx.query<StoredRule & StoredPeriod>({
    text: `SELECT margin_percent, price_micros, r.currency, sale_limit_micros, limit_micros, starts_at, r.ends_at
      FROM price_rules r LEFT JOIN promotions p ON p.id = promotion_id
      WHERE r.service_code IS NOT DISTINCT FROM $serviceCode AND r.country_id IS NOT DISTINCT FROM $countryId
        AND (r.ends_at IS NULL OR r.ends_at > $now)
      ORDER BY starts_at IS NULL OR starts_at <= $now DESC, starts_at DESC NULLS LAST FOR UPDATE OF r`,
    values: { ...input.scope, now: input.now },
  })
  return rows.map((row) => ({ startsAt: row.starts_at, endsAt: row.ends_at, rule: toRule(row) }))
}

function toRule({ margin_percent, price_micros, currency, ...limits }: StoredRule): PriceRule {
  if (price_micros !== null && currency !== null) {
    const { sale_limit_micros: saleLimitMicros, limit_micros: limitMicros } = limits
    const belowCost =
      saleLimitMicros === null || limitMicros === null ? {} : { belowCost: { saleLimitMicros, limitMicros } }
    return { priceMicros: price_micros, currency, ...belowCost }
  }
  return { marginPercent: margin_percent ?? 0 }
}

export type ListedRule = PricePeriod & {
  id: number
  service_code: string | null
  country_id: number | null
  rule: PriceRule
  /** The loss of a promotion: what open sales may lose and captured sales lost. */
  spentMicros: bigint | null
}

export async function listRules(
  db: Db,
  filter: { serviceCode: string | null; countryId: number | null; after: bigint | null; limit: number; now: Date },
): Promise<ListedRule[]> {
  type Row = StoredRule & StoredPeriod & Pick<ListedRule, 'id' | 'service_code' | 'country_id'>
  const { rows } = await db.query<Row & { spent_micros: bigint | null }>({
    text: `SELECT r.id, r.service_code, r.country_id, margin_percent, price_micros, r.currency, sale_limit_micros, limit_micros,
        spent_micros, starts_at, r.ends_at
      FROM price_rules r LEFT JOIN promotions p ON p.id = promotion_id
      WHERE ($serviceCode::text IS NULL OR r.service_code = $serviceCode)
        AND ($countryId::integer IS NULL OR r.country_id = $countryId)
        AND ($after::bigint IS NULL OR r.id > $after) AND (r.ends_at IS NULL OR r.ends_at > $now) ORDER BY r.id LIMIT $limit`,
    values: filter,
  })
  return rows.map(({ id, service_code, country_id, starts_at, ends_at, spent_micros, ...rule }) => ({
    id,
    service_code,
    country_id,
    startsAt: starts_at,
    endsAt: ends_at,
    rule: toRule(rule),
    spentMicros: spent_micros,
  }))
}

/**
 * Stores a rule and deletes rules that have ended. A permanent rule (without start and end) replaces the begun
 * permanent rules of its service and country. A rule with a start replaces only one with the same start.
 */
export async function storeRule(
  tx: Db,
  input: { scope: PriceScope; rule: PriceRule; period?: PricePeriod; now: Date },
): Promise<void> {
  const { scope, rule, period = FOR_GOOD, now } = input
  const isForGood = period.startsAt === null
  const { belowCost = null, ...terms } = { belowCost: undefined, ...rule }
  await tx.query({
    text: `DELETE FROM price_rules WHERE ends_at <= $now
      OR ($isForGood AND starts_at <= $now AND ends_at IS NULL
        AND service_code IS NOT DISTINCT FROM $serviceCode AND country_id IS NOT DISTINCT FROM $countryId)`,
    values: { ...scope, isForGood, now },
  })
  await tx.query({
    text: `WITH promotion AS (
        INSERT INTO promotions (service_code, country_id, currency, sale_limit_micros, limit_micros, created_at, ends_at)
        SELECT $serviceCode, $countryId, $currency, $saleLimitMicros, $limitMicros, $now, $endsAt WHERE $isBelowCost
        RETURNING id
      )
      INSERT INTO price_rules (service_code, country_id, margin_percent, price_micros, currency, starts_at, ends_at, promotion_id)
      VALUES ($serviceCode, $countryId, $marginPercent, $priceMicros, $currency, $startsAt, $endsAt, (SELECT id FROM promotion))
      ON CONFLICT (COALESCE(service_code, ''), COALESCE(country_id, -1), COALESCE(starts_at, '-infinity')) DO UPDATE
      SET margin_percent = excluded.margin_percent, price_micros = excluded.price_micros, currency = excluded.currency,
        ends_at = excluded.ends_at, promotion_id = excluded.promotion_id`,
    values: {
      marginPercent: null,
      priceMicros: null,
      currency: null,
      saleLimitMicros: null,
      limitMicros: null,
      ...scope,
      ...terms,
      ...belowCost,
      ...period,
      isBelowCost: belowCost !== null,
      now,
    },
  })
}

/** Deletes rules of exactly this service and country: all, the one that starts at `startsAt`, or those below cost. */
export async function deleteRules(
  tx: Db,
  { scope, ...which }: { scope: PriceScope; startsAt: Date | null; belowCost: boolean },
): Promise<void> {
  await tx.query({
    text: `DELETE FROM price_rules
      WHERE service_code IS NOT DISTINCT FROM $serviceCode AND country_id IS NOT DISTINCT FROM $countryId
        AND ($startsAt::timestamptz IS NULL OR starts_at = $startsAt) AND (NOT $belowCost OR promotion_id IS NOT NULL)`,
    values: { ...scope, ...which },
  })
}

/** Deletes all rules except those below cost, which a price file never contains. */
export async function deleteAllRules(tx: Db): Promise<void> {
  await tx.query({ text: 'DELETE FROM price_rules WHERE promotion_id IS NULL' })
}

/** The lowest cost of a service in a country, for each currency in which suppliers are paid. */
export type PairCost = {
  service_code: string
  country_id: number
  rub_micros: bigint | null
  usd_micros: bigint | null
}

/**
 * Returns the lowest cost of each service in each country. Only offers in stock count, of services that are not blocked
 * and suppliers that are not paused.
 */
export async function listPairCosts(db: Db, scope: PriceScope): Promise<PairCost[]> {
  const { rows } = await db.query<PairCost>({
    text: `SELECT o.service_code, o.country_id, min(o.cost_micros) FILTER (WHERE o.currency = 'rub') AS rub_micros,
        min(o.cost_micros) FILTER (WHERE o.currency = 'usd') AS usd_micros
      FROM offers o JOIN suppliers s ON s.id = o.supplier_id AND s.paused_at IS NULL AND s.removed_at IS NULL
      JOIN services v ON v.code = o.service_code AND v.blocked_at IS NULL
      WHERE o.stock > 0 AND ($serviceCode::text IS NULL OR o.service_code = $serviceCode)
        AND ($countryId::integer IS NULL OR o.country_id = $countryId)
      GROUP BY o.service_code, o.country_id ORDER BY o.service_code, o.country_id`,
    values: scope,
  })
  return rows
}

/** Lets the transaction compare the prices of a whole catalogue at many moments, which takes up to 20 seconds. */
export async function allowComputing(tx: Db): Promise<void> {
  await tx.query({ text: `SET LOCAL idle_in_transaction_session_timeout = '2min'` })
}
