import { readFile } from 'node:fs/promises'
import type { Db } from '#server/house/db/pool.ts'

const BALANCE_MICROS = 1_000_000_000_000_000n
const PRICE_MICROS = 12_500_000n
const LIFE_MS = 1_200_000
/** All past activations are inserted in one statement, which takes long. */
const FILL_LIMIT_MS = 300_000

/** Creates the tables of bare-books.sql, with an account for each user and `past` ended activations. */
export async function openBareBooks(db: Db, { userIds, past }: { userIds: number[]; past: number }): Promise<void> {
  await db.query({ text: await readFile(new URL('bare-books.sql', import.meta.url), 'utf8') })
  await db.query({
    text: `INSERT INTO bare.accounts SELECT user_id, 'rub', $2, 0 FROM unnest($1::integer[]) user_id`,
    values: [userIds, BALANCE_MICROS],
  })
  await db.query({
    text: `INSERT INTO bare.activations (user_id, service_code, country_id, operator, state, money, price_micros, currency, supplier_id,
        supplier_reference, phone, channel, created_at, expires_at, outcome_at, ended_at)
      SELECT ($1::integer[])[1 + n % cardinality($1::integer[])], 'tg', 0, 'silent', 'cancelled', 'released', $2, 'rub', 1, n || '-1',
        '88' || n, 'handler_api', at, at + interval '20 minutes', at + interval '5 minutes', at + interval '5 minutes'
      FROM generate_series(1, $3::integer) n, LATERAL (SELECT now() - n * interval '1 second' AS at) past`,
    values: [userIds, PRICE_MICROS, past],
    limitMs: FILL_LIMIT_MS,
  })
  await db.query({ text: 'ANALYZE bare.activations' })
}

/** Buys a number by one statement that holds the price, and one that assigns the number. */
export async function buyBarely(db: Db, userId: number): Promise<void> {
  const now = new Date()
  const expiresAt = new Date(now.getTime() + LIFE_MS)
  const { rows } = await db.query<{ id: bigint }>({ ...RESERVE, values: [userId, PRICE_MICROS, null, now, expiresAt] })
  const [reserved] = rows
  if (reserved === undefined) throw new Error('bare pg could not reserve')
  const values = [reserved.id, `99${reserved.id}`, `${reserved.id}-1`, 10_000_000n, now]
  const settled = await db.query({ ...SETTLE, values })
  if (settled.rowCount !== 1) throw new Error('bare pg could not settle')
}

const COLUMNS = `id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency, supplier_id,
  attempt, supplier_reference, phone, code, sms_count, again_asked_at, input_hash, created_at, expires_at, ended_at`

const RESERVE = {
  name: 'bare-reserve',
  text: `WITH payer AS (
      UPDATE bare.accounts SET available_micros = available_micros - $2, held_micros = held_micros + $2
      WHERE user_id = $1 AND currency = 'rub' AND available_micros >= $2
        AND NOT EXISTS (SELECT FROM users WHERE id = $1 AND blocked_at IS NOT NULL)
        AND NOT EXISTS (SELECT FROM bare.activations WHERE user_id = $1 AND idempotency_key = $3)
        AND NOT EXISTS (SELECT FROM services WHERE code = 'tg' AND blocked_at IS NOT NULL)
        AND NOT EXISTS (SELECT FROM purchase_pauses WHERE user_id = $1 AND service_code = 'tg' AND country_id = 0 AND until > $4)
        AND 1000 > (SELECT count(*) FROM (SELECT FROM bare.activations WHERE user_id = $1
          AND state IN ('reserving', 'waiting', 'received', 'waiting_again') LIMIT 1000) numbers)
      RETURNING user_id
    ), made AS (
      INSERT INTO bare.activations (user_id, service_code, country_id, operator_wanted, state, money, price_micros, currency, supplier_id,
        channel, idempotency_key, created_at, expires_at)
      SELECT user_id, 'tg', 0, 'silent', 'reserving', 'held', $2, 'rub', 1, 'handler_api', $3, $4, $5 FROM payer
      RETURNING ${COLUMNS}
    ), moved AS (
      INSERT INTO bare.transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
      SELECT 'hold', user_id, 'available', 'held', price_micros, currency, id, $4 FROM made
    )
    SELECT * FROM made`,
}

const SETTLE = {
  name: 'bare-settle',
  text: `WITH settled AS (
      UPDATE bare.activations SET state = 'waiting', phone = $2, operator = 'silent', supplier_reference = $3, cost_micros = $4
      WHERE id = $1 AND attempt = 1 AND state = 'reserving'
        AND NOT EXISTS (SELECT FROM bare.burnt_numbers WHERE phone = $2 AND service_code IN ('tg', 'full'))
        AND NOT EXISTS (SELECT FROM rentals WHERE phone = $2 AND state = 'active')
      RETURNING ${COLUMNS}
    ), noted AS (
      INSERT INTO bare.events (at, kind, user_id, subject_id) SELECT $5, 'activation.waiting', user_id, id FROM settled
    )
    SELECT * FROM settled`,
}
