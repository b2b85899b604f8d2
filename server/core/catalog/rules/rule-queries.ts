import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { Rounding } from './sell-price.ts'

export type PriceRuleRow = {
  service_code: string | null
  country_id: number | null
  margin_percent: number | null
  price_micros: bigint | null
  currency: Currency | null
  promotion_id: number | null
  sale_limit_micros: bigint | null
}

/** Lists price rules in force, sorted by start. Each scope has at most its newest promotion and newest other rule. */
export async function listRulesAt(db: Db, at: Date): Promise<PriceRuleRow[]> {
  const { rows } = await db.query<PriceRuleRow>({
    text: `SELECT service_code, country_id, margin_percent, price_micros, currency, promotion_id, sale_limit_micros FROM (
        SELECT DISTINCT ON (r.service_code, r.country_id, r.promotion_id IS NULL) r.*, p.sale_limit_micros
        FROM price_rules r LEFT JOIN promotions p ON p.id = r.promotion_id
        WHERE (r.starts_at IS NULL OR r.starts_at <= $at) AND (r.ends_at IS NULL OR r.ends_at > $at)
        ORDER BY r.service_code, r.country_id, r.promotion_id IS NULL, r.starts_at DESC NULLS LAST
      ) holding ORDER BY starts_at NULLS FIRST`,
    values: { at },
  })
  return rows
}

export async function findNextRuleChange(db: Db, after: Date): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date | null }>({
    text: `SELECT min(at) AS at FROM (
        SELECT starts_at AS at FROM price_rules UNION ALL SELECT ends_at FROM price_rules) moments WHERE at > $after`,
    values: { after },
  })
  return rows[0]?.at ?? null
}

/**
 * Returns promotions that allow no further sale, because they ended or their budget cannot cover a sale's largest loss.
 */
export async function listFullPromotions(
  db: Db,
  { ids, now }: { ids: readonly number[]; now: Date },
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'promotions-full',
    text: `SELECT id FROM promotions
      WHERE id = ANY ($1::integer[]) AND (spent_micros + sale_limit_micros > limit_micros OR ends_at <= $2) ORDER BY id`,
    values: [ids, now],
  })
  return rows.map(({ id }) => id)
}

type Roundings = Record<Currency, Rounding>

export async function findRoundings(db: Db): Promise<Roundings> {
  const { rows } = await db.query<{ value: Partial<Roundings> }>({
    text: `SELECT value FROM settings WHERE key = 'price_roundings'`,
  })
  return { rub: rows[0]?.value.rub ?? 'exact', usd: rows[0]?.value.usd ?? 'exact' }
}

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
