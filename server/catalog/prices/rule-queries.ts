import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/db/pool.ts'
import type { Rounding } from './sell-price.ts'

export type PriceRuleRow = {
  service_code: string | null
  country_id: number | null
  margin_percent: number | null
  price_micros: bigint | null
  currency: Currency | null
}

/** At most one for each scope: of those that have begun and not ended, the one that began last. */
export async function listRulesAt(db: Db, at: Date): Promise<PriceRuleRow[]> {
  const { rows } = await db.query<PriceRuleRow>({
    text: `SELECT DISTINCT ON (service_code, country_id) service_code, country_id, margin_percent, price_micros, currency
      FROM price_rules WHERE (starts_at IS NULL OR starts_at <= $at) AND (ends_at IS NULL OR ends_at > $at)
      ORDER BY service_code, country_id, starts_at DESC NULLS LAST`,
    values: { at },
  })
  return rows
}

/** When the next rule begins or ends; null when none does. */
export async function findNextRuleChange(db: Db, after: Date): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date | null }>({
    text: `SELECT min(at) AS at FROM (
        SELECT starts_at AS at FROM price_rules UNION ALL SELECT ends_at FROM price_rules) moments WHERE at > $after`,
    values: { after },
  })
  return rows[0]?.at ?? null
}

type Roundings = Record<Currency, Rounding>

export async function findRoundings(db: Db): Promise<Roundings> {
  const { rows } = await db.query<{ value: Partial<Roundings> }>({
    text: `SELECT value FROM settings WHERE key = 'price_roundings'`,
  })
  return { rub: rows[0]?.value.rub ?? 'exact', usd: rows[0]?.value.usd ?? 'exact' }
}

/** Returns what it was. */
export async function storeRounding(
  tx: Db,
  input: { currency: Currency; rounding: Rounding; now: Date },
): Promise<Rounding> {
  const { currency, rounding, now } = input
  await tx.query({
    text: `INSERT INTO settings (key, value, updated_at) VALUES ('price_roundings', '{}', $1) ON CONFLICT (key) DO NOTHING`,
    values: [now],
  })
  const { rows } = await tx.query<{ was: Rounding | null }>({
    text: `UPDATE settings s SET value = s.value || jsonb_build_object($currency::text, $rounding::text), updated_at = $now
      FROM (SELECT value ->> $currency AS was FROM settings WHERE key = 'price_roundings' FOR UPDATE) before
      WHERE s.key = 'price_roundings' RETURNING before.was`,
    values: { currency, rounding, now },
  })
  return rows[0]?.was ?? 'exact'
}
