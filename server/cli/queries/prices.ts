import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/db/pool.ts'

export type PriceScope = { serviceCode: string | null; countryId: number | null }
export type PriceRule = { marginPercent: number } | { priceMicros: bigint; currency: Currency }

type StoredRule = { margin_percent: number | null; price_micros: bigint | null; currency: Currency | null }

/** Null for an unknown service or country. */
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

/** Matches exactly this scope and locks the row until the end of the transaction. */
export async function lockRule(tx: Db, scope: PriceScope): Promise<PriceRule | null> {
  const { rows } = await tx.query<StoredRule>({
    text: `SELECT margin_percent, price_micros, currency FROM price_rules
      WHERE service_code IS NOT DISTINCT FROM $1 AND country_id IS NOT DISTINCT FROM $2 FOR UPDATE`,
    values: [scope.serviceCode, scope.countryId],
  })
  const row = rows[0]
  return row === undefined ? null : toRule(row)
}

function toRule({ margin_percent, price_micros, currency }: StoredRule): PriceRule {
  if (price_micros !== null && currency !== null) return { priceMicros: price_micros, currency }
  return { marginPercent: margin_percent ?? 0 }
}

type ListedRule = { id: number; service_code: string | null; country_id: number | null; rule: PriceRule }

export async function listRules(
  db: Db,
  filter: { serviceCode: string | null; countryId: number | null; after: bigint | null; limit: number },
): Promise<ListedRule[]> {
  const { rows } = await db.query<StoredRule & Pick<ListedRule, 'id' | 'service_code' | 'country_id'>>({
    text: `SELECT id, service_code, country_id, margin_percent, price_micros, currency FROM price_rules
      WHERE ($serviceCode::text IS NULL OR service_code = $serviceCode)
        AND ($countryId::integer IS NULL OR country_id = $countryId)
        AND ($after::bigint IS NULL OR id > $after) ORDER BY id LIMIT $limit`,
    values: filter,
  })
  return rows.map(({ id, service_code, country_id, ...rule }) => ({ id, service_code, country_id, rule: toRule(rule) }))
}

export async function upsertRule(tx: Db, scope: PriceScope, rule: PriceRule): Promise<void> {
  await tx.query({
    text: `INSERT INTO price_rules (service_code, country_id, margin_percent, price_micros, currency)
      VALUES ($serviceCode, $countryId, $marginPercent, $priceMicros, $currency)
      ON CONFLICT (COALESCE(service_code, ''), COALESCE(country_id, -1)) DO UPDATE
      SET margin_percent = excluded.margin_percent, price_micros = excluded.price_micros, currency = excluded.currency`,
    values: { marginPercent: null, priceMicros: null, currency: null, ...scope, ...rule },
  })
}

export async function deleteRule(tx: Db, scope: PriceScope): Promise<void> {
  await tx.query({
    text: `DELETE FROM price_rules
      WHERE service_code IS NOT DISTINCT FROM $1 AND country_id IS NOT DISTINCT FROM $2`,
    values: [scope.serviceCode, scope.countryId],
  })
}
