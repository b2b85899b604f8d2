import { queryOnce } from '#test/harness/postgres/temporary-postgres.ts'

const CREDIT_MICROS = 1_000_000_000_000n
const PRICE_MICROS = 12_500_000n

export type PastBooks = { people: number; activations: number; rentals: number }

/** Inserts consistent accounting records without planner statistics, as after a restore. Triggers are off for speed. */
export async function addPastBooks(superuserUrl: string, past: PastBooks): Promise<void> {
  for (const statement of [
    peopleSql(past),
    activationsSql(past),
    messagesSql,
    rentalsSql(past),
    holdsSql,
    balancesSql,
  ]) {
    await queryOnce(superuserUrl, `SET session_replication_role = replica; SET work_mem = '256MB'; ${statement}`)
  }
  await queryOnce(superuserUrl, 'CHECKPOINT')
}

const peopleSql = ({ people }: PastBooks) => `WITH made AS (
    INSERT INTO users (email, zone, locale, created_at)
    SELECT 'books-' || n || '@bench.test', 'ru', 'ru', now() - interval '1 year' FROM generate_series(1, ${people}) n RETURNING id
  ), accounts_made AS (
    INSERT INTO accounts (user_id, currency, available_micros) SELECT id, 'rub', ${CREDIT_MICROS} FROM made RETURNING user_id
  )
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, idempotency_key, at)
  SELECT 'credit', user_id, 'adjustments', 'available', ${CREDIT_MICROS}, 'rub', 'first', now() - interval '1 year' FROM accounts_made`

const activationsSql = ({ activations, people }: PastBooks) => `WITH known AS (
    SELECT (SELECT array_agg(code) FROM services) AS services, (SELECT array_agg(id) FROM countries) AS countries,
      (SELECT id FROM suppliers LIMIT 1) AS supplier_id, (SELECT min(id) FROM users WHERE email LIKE 'books-%') AS first_person
  )
  INSERT INTO activations (user_id, service_code, country_id, operator, state, money, price_micros, currency, supplier_id,
    supplier_reference, cost_micros, phone, code, sms_count, channel, created_at, expires_at, first_code_at, outcome_at, ended_at)
  SELECT first_person + (n * 7919::bigint % ${people}), services[1 + n % cardinality(services)],
    countries[1 + n % cardinality(countries)], 'swift',
    CASE WHEN waits THEN 'waiting' WHEN coded THEN 'finished' ELSE 'expired' END,
    CASE WHEN waits THEN 'held' WHEN coded THEN 'captured' ELSE 'released' END,
    ${PRICE_MICROS}, 'rub', supplier_id, n || '-1', 10000000, (79000000000 + n)::text, CASE WHEN coded THEN '123456' END,
    CASE WHEN coded THEN 1 ELSE 0 END, 'handler_api', at, until, CASE WHEN coded THEN at + interval '5 seconds' END,
    CASE WHEN waits THEN NULL WHEN coded THEN at + interval '5 seconds' ELSE until END, CASE WHEN waits THEN NULL ELSE until END
  FROM known, generate_series(1, ${activations}) n,
    LATERAL (SELECT n > ${Math.round(activations * 0.99)} AS waits) open,
    LATERAL (SELECT n % 5 < 3 AND NOT waits AS coded) fate,
    LATERAL (SELECT now() - (${activations} - n) * (interval '200 days' / ${activations}) AS at) began,
    LATERAL (SELECT at + interval '20 minutes' AS until) ends`

const messagesSql = `INSERT INTO messages (supplier_id, supplier_message_id, phone, sender, body, code, activation_id, received_at)
    SELECT supplier_id, 'm' || id, phone, 'Telegram', 'Telegram code 123456', '123456', id, first_code_at
    FROM activations WHERE sms_count > 0 ORDER BY id;
  INSERT INTO burnt_numbers (phone, service_code) SELECT phone, service_code FROM activations WHERE sms_count > 0`

const rentalsSql = ({ rentals, people }: PastBooks) => `WITH known AS (
    SELECT (SELECT id FROM suppliers LIMIT 1) AS supplier_id, (SELECT min(id) FROM users WHERE email LIKE 'books-%') AS first_person
  ), made AS (
    INSERT INTO rentals (user_id, service_code, country_id, state, hours, supplier_id, cost_limit_micros, phone, channel,
      created_at, cancel_until, captured_at, expires_at, ended_at)
    SELECT first_person + (n * 7919::bigint % ${people}), 'full', (SELECT min(id) FROM countries), 'expired', 24, supplier_id,
      1, (78000000000 + n)::text, 'web', at, at + interval '20 minutes', at + interval '20 minutes', at + interval '1 day',
      at + interval '1 day'
    FROM known, generate_series(1, ${rentals}) n, LATERAL (SELECT now() - interval '100 days' + n * interval '1 minute' AS at) began
    RETURNING id, user_id, created_at, captured_at
  )
  INSERT INTO charges (user_id, purpose, rental_id, hours, price_micros, currency, money, created_at, settled_at)
  SELECT user_id, 'rental', id, 24, ${PRICE_MICROS}, 'rub', 'captured', created_at, captured_at FROM made ORDER BY id`

/** Holds and settlements of money are interleaved in the order in which they would have happened. */
const holdsSql = `WITH held AS (
    SELECT id AS activation_id, NULL::bigint AS charge_id, user_id, price_micros, currency, money, created_at AS held_at,
      COALESCE(outcome_at, created_at) AS settled_at FROM activations
    UNION ALL
    SELECT NULL, id, user_id, price_micros, currency, money, created_at, settled_at FROM charges
  ), moves AS (
    SELECT 'hold' AS kind, 'available' AS source, 'held' AS target, held_at AS at, 0 AS place, held.* FROM held
    UNION ALL
    SELECT CASE money WHEN 'captured' THEN 'capture' ELSE 'release' END, 'held',
      CASE money WHEN 'captured' THEN 'revenue' ELSE 'available' END, settled_at, 1, held.* FROM held WHERE money <> 'held'
  )
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, charge_id, at)
  SELECT kind, user_id, source, target, price_micros, currency, activation_id, charge_id, at FROM moves ORDER BY at, place`

const balancesSql = `UPDATE accounts SET available_micros = available_micros - spent, held_micros = held
  FROM (
    SELECT user_id, sum(price_micros) FILTER (WHERE money <> 'released') AS spent,
      COALESCE(sum(price_micros) FILTER (WHERE money = 'held'), 0) AS held
    FROM (SELECT user_id, price_micros, money FROM activations UNION ALL SELECT user_id, price_micros, money FROM charges) paid
    GROUP BY user_id
  ) sums WHERE sums.user_id = accounts.user_id AND spent IS NOT NULL`
