import type { Currency } from '#contract/money.ts'
import { NOTIFY_RUNS, notifySql } from '#server/core/notifications/queries/raise-sql.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'

export type LowestPrice = { serviceCode: string; currency: Currency; priceMicros: bigint }

const PRICED = `priced AS (
    SELECT * FROM unnest($services::text[], $currencies::text[], $prices::bigint[]) AS price (service_code, currency, price_micros)
  )`

const WATCHED = `notification_settings s JOIN accounts a ON a.user_id = s.user_id
  JOIN favorites f ON f.user_id = s.user_id AND f.mode = 'activation' AND f.kind = 'service'
  JOIN priced p ON p.service_code = f.subject_id AND p.currency = a.currency`

/**
 * Notifies users whose favourite services fell to their price limit, with one notification per user. A favourite is
 * reported again only after its price was above the limit, and at most once a day. Returns the number of notifications.
 */
export async function tellLowPrices(
  db: Db,
  input: { prices: readonly LowestPrice[]; now: Date; limit: number },
): Promise<number> {
  const day = input.now.toISOString().slice(0, 10)
  const { rows } = await db.query<{ count: bigint }>({
    text: `WITH ${PRICED}, due AS (
      SELECT s.user_id, p.service_code, p.currency, p.price_micros FROM ${WATCHED}
      WHERE s.price_limit_micros IS NOT NULL AND p.price_micros <= s.price_limit_micros AND NOT EXISTS (
        SELECT FROM favorite_prices_told t WHERE t.user_id = s.user_id AND t.service_code = p.service_code)
      ORDER BY s.user_id LIMIT $limit
    ), noted AS (
      INSERT INTO favorite_prices_told (user_id, service_code) SELECT user_id, service_code FROM due
      ON CONFLICT DO NOTHING RETURNING user_id, service_code
    ), fresh AS (
      SELECT user_id, service_code, currency, price_micros FROM due JOIN noted USING (user_id, service_code)
      WHERE NOT EXISTS (SELECT FROM notifications n WHERE n.user_id = due.user_id AND n.kind = 'favorite-price' AND n.created_at >= $today
        AND (n.details ->> 'serviceCode' = service_code OR n.details -> 'others' ? service_code))
    ), folded AS (
      SELECT user_id, currency, min(price_micros) AS price_micros, array_agg(service_code ORDER BY price_micros, service_code) AS codes
      FROM fresh GROUP BY user_id, currency
    ), fallen AS (
      SELECT user_id, 'favorite-price' AS kind, '/?service=' || codes[1] AS link, 'price:' || codes[1] || ':' || $day AS dedupe_key,
        jsonb_build_object('serviceCode', codes[1], 'priceMicros', price_micros::text, 'currency', currency,
          'others', to_jsonb(codes[2:])) AS details
      FROM folded
    ), ${notifySql('fallen')}
    SELECT count(*) FROM noted WHERE ${NOTIFY_RUNS}`,
    values: {
      ...valuesOf(input.prices),
      now: input.now,
      day,
      today: new Date(day),
      limit: input.limit,
    },
    limitMs: SLOW_LIMIT_MS,
  })
  return Number(rows[0]?.count ?? 0)
}

/** Marks favourites already below a new price limit as reported, because their price did not fall. */
export async function markLowPrices(db: Db, input: { userId: number; prices: readonly LowestPrice[] }): Promise<void> {
  await db.query({
    text: `WITH ${PRICED}
      INSERT INTO favorite_prices_told (user_id, service_code) SELECT s.user_id, p.service_code FROM ${WATCHED}
      WHERE s.user_id = $userId AND p.price_micros <= s.price_limit_micros ON CONFLICT DO NOTHING`,
    values: { ...valuesOf(input.prices), userId: input.userId },
  })
}

/** Forgets reported prices that are above the limit again. A service out of stock has no price and does not count. */
export async function forgetRisenPrices(db: Db, prices: readonly LowestPrice[]): Promise<void> {
  await db.query({
    text: `WITH ${PRICED}
      DELETE FROM favorite_prices_told t WHERE EXISTS (SELECT FROM ${WATCHED}
        WHERE s.user_id = t.user_id AND p.service_code = t.service_code AND p.price_micros > s.price_limit_micros)
      OR NOT EXISTS (SELECT FROM notification_settings s WHERE s.user_id = t.user_id AND s.price_limit_micros IS NOT NULL)`,
    values: valuesOf(prices),
    limitMs: SLOW_LIMIT_MS,
  })
}

function valuesOf(prices: readonly LowestPrice[]) {
  return {
    services: prices.map(({ serviceCode }) => serviceCode),
    currencies: prices.map(({ currency }) => currency),
    prices: prices.map(({ priceMicros }) => priceMicros),
  }
}
