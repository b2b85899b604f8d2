import { queryOnce } from '#test/harness/postgres/temporary-postgres.ts'

export type Past = {
  total: number
  buyerId: number
  ofBuyer: number
}

const OTHERS = 1_000

/**
 * Inserts past activations of 200 days, without transfers and events.
 * Foreign key triggers are off, because with them a million rows would take minutes.
 * The service leaves these activations out of its statistics, because `outcomes_until` is moved forward to now.
 */
export async function addPastActivations(superuserUrl: string, past: Past): Promise<void> {
  await queryOnce(superuserUrl, bulk(peopleSql()))
  await queryOnce(superuserUrl, bulk(activationsSql(past)))
  await queryOnce(
    superuserUrl,
    `INSERT INTO settings (key, value, updated_at) VALUES ('outcomes_until', to_jsonb(now()), now())
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  )
  await queryOnce(superuserUrl, 'VACUUM (ANALYZE) activations')
  await queryOnce(superuserUrl, 'CHECKPOINT')
}

const bulk = (statement: string): string => `SET session_replication_role = replica; ${statement}`

function peopleSql(): string {
  return `WITH people AS (
    INSERT INTO users (email, zone, locale, created_at)
    SELECT 'past-' || n || '@bench.test', 'ru', 'ru', now() - interval '1 year' FROM generate_series(1, ${OTHERS}) n
    RETURNING id
  )
  INSERT INTO accounts (user_id, currency) SELECT id, 'rub' FROM people`
}

function activationsSql({ total, buyerId, ofBuyer }: Past): string {
  const every = Math.round(total / ofBuyer)
  return `WITH known AS (
    SELECT (SELECT array_agg(code) FROM services) AS services, (SELECT array_agg(id) FROM countries) AS countries,
      (SELECT id FROM suppliers LIMIT 1) AS supplier_id,
      (SELECT array_agg(id) FROM users WHERE email LIKE 'past-%@bench.test') AS people
  )
  INSERT INTO activations (user_id, service_code, country_id, operator, state, money, price_micros, currency, supplier_id,
    supplier_reference, cost_micros, phone, code, sms_count, channel, created_at, expires_at, first_code_at, outcome_at, ended_at)
  SELECT CASE WHEN n % ${every} = 0 THEN ${buyerId} ELSE people[1 + n % ${OTHERS}] END,
    services[1 + n % cardinality(services)], countries[1 + n % cardinality(countries)], 'swift',
    CASE WHEN waits THEN 'waiting' WHEN coded THEN 'finished' ELSE 'expired' END,
    CASE WHEN waits THEN 'held' WHEN coded THEN 'captured' ELSE 'released' END,
    12500000, 'rub', supplier_id, n || '-1', 10000000, (79000000000 + n)::text, CASE WHEN coded THEN '123456' END,
    CASE WHEN coded THEN 1 ELSE 0 END, 'handler_api', at, until, CASE WHEN coded THEN at + interval '5 seconds' END,
    CASE WHEN waits THEN NULL WHEN coded THEN at + interval '5 seconds' ELSE until END, CASE WHEN waits THEN NULL ELSE until END
  FROM known, generate_series(1, ${total}) n,
    LATERAL (SELECT n > ${total * 0.99} AND n % ${every} <> 0 AS waits, n % 5 < 3 AS coded) fate,
    LATERAL (SELECT CASE WHEN waits THEN now()
      ELSE now() - interval '1 hour' - (${total} - n) * (interval '200 days' / ${total}) END AS at) began,
    LATERAL (SELECT at + interval '20 minutes' AS until) ends`
}
