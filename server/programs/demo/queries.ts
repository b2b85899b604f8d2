import type { Db } from '#server/house/db/pool.ts'

export type DemoOutcome = {
  serviceCode: string
  countryId: number
  operator: string
  /** The purchases ended in the hour that began this number of hours before the present one. */
  hoursAgo: number
  purchases: number
  codes: number
  secondsCounts: number[]
}

export async function findDemoMark(db: Db): Promise<{ marked: boolean; empty: boolean }> {
  const { rows } = await db.query<{ marked: boolean; empty: boolean }>({
    text: `SELECT EXISTS (SELECT FROM settings WHERE key = 'demo') AS marked,
      NOT EXISTS (SELECT FROM users) AND NOT EXISTS (SELECT FROM suppliers s WHERE to_jsonb(s)->>'sandbox' IS DISTINCT FROM 'true') AS empty`,
  })
  const row = rows[0]
  if (row === undefined) throw new Error('the demo mark could not be read')
  return row
}

export async function hasOurTables(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ made: boolean }>({
    text: `SELECT num_nulls(to_regclass('schema_migrations'), to_regclass('settings'), to_regclass('users'),
      to_regclass('suppliers')) = 0 AS made`,
  })
  return rows[0]?.made ?? false
}

export async function countForeignTables(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: bigint }>({
    text: `SELECT count(*) FROM pg_tables WHERE schemaname = 'public'
      AND NOT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'public' AND tablename = 'schema_migrations')`,
  })
  return Number(rows[0]?.count ?? 0n)
}

export async function markDemo(db: Db, now: Date): Promise<void> {
  await db.query({
    text: `INSERT INTO settings (key, value, updated_at) VALUES ('demo', 'true', $1) ON CONFLICT (key) DO NOTHING`,
    values: [now],
  })
}

export async function insertSimulator(db: Db, now: Date): Promise<number> {
  const { rows } = await db.query<{ id: number }>({
    text: `INSERT INTO suppliers (code, kind, created_at) VALUES ('simulator', 'simulator', $1)
      ON CONFLICT (code) DO UPDATE SET kind = suppliers.kind RETURNING id`,
    values: [now],
  })
  const row = rows[0]
  if (row === undefined) throw new Error('inserting the simulator returned nothing')
  return row.id
}

export async function insertUsdRate(db: Db, input: { rubMicros: bigint; now: Date }): Promise<void> {
  await db.query({
    text: `INSERT INTO exchange_rates (currency, rub_micros, updated_at) VALUES ('usd', $1, $2) ON CONFLICT DO NOTHING`,
    values: [input.rubMicros, input.now],
  })
}

/**
 * Returns true if the demo's history of purchases is filled: some hour from `since` has over 100 purchases. Visitors of
 * a demo buy less.
 */
export async function hasDemoOutcomes(db: Db, supplierId: number, since: Date): Promise<boolean> {
  const { rowCount } = await db.query({
    text: 'SELECT FROM outcome_hours WHERE supplier_id = $1 AND hour >= $2 AND purchases > 100 LIMIT 1',
    values: [supplierId, since],
  })
  return rowCount === 1
}

export async function insertDemoOutcomes(
  db: Db,
  input: { supplierId: number; hour: Date; outcomes: DemoOutcome[] },
): Promise<void> {
  const { outcomes } = input
  await db.query({
    text: `INSERT INTO outcome_hours (hour, supplier_id, service_code, country_id, operator, purchases, codes, seconds_counts)
      SELECT $hour::timestamptz - hours_ago * interval '1 hour', $supplierId, service_code, country_id, operator, purchases, codes,
        string_to_array(counts, ',')::integer[]
      FROM unnest($serviceCodes::text[], $countryIds::integer[], $operators::text[], $hoursAgo::integer[],
        $purchases::integer[], $codes::integer[], $secondsCounts::text[])
        AS g (service_code, country_id, operator, hours_ago, purchases, codes, counts)
      ON CONFLICT DO NOTHING`,
    values: {
      ...input,
      serviceCodes: outcomes.map((row) => row.serviceCode),
      countryIds: outcomes.map((row) => row.countryId),
      operators: outcomes.map((row) => row.operator),
      hoursAgo: outcomes.map((row) => row.hoursAgo),
      purchases: outcomes.map((row) => row.purchases),
      codes: outcomes.map((row) => row.codes),
      secondsCounts: outcomes.map((row) => row.secondsCounts.join(',')),
    },
  })
}

export async function insertDemoGateways(db: Db, now: Date): Promise<void> {
  await db.query({
    text: `INSERT INTO gateways (code, kind, created_at) VALUES ('sandbox', 'sandbox', $1), ('voucher', 'vouchers', $1)
      ON CONFLICT (code) DO NOTHING`,
    values: [now],
  })
}

export async function insertDemoVoucher(
  db: Db,
  input: { codeHash: Buffer; amountMicros: bigint; now: Date },
): Promise<void> {
  await db.query({
    text: `INSERT INTO vouchers (gateway_id, code_hash, amount_micros, currency, batch, created_at)
      SELECT id, $codeHash, $amountMicros, 'rub', 'demo', $now FROM gateways WHERE code = 'voucher'
      ON CONFLICT (code_hash) DO NOTHING`,
    values: input,
  })
}

/** Inserts the ready answers for support if there are none, so that changes and removals by staff stay. */
export async function insertDemoAnswers(
  db: Db,
  input: { answers: readonly { title: string; ru: string; en: string }[]; userId: number; now: Date },
): Promise<void> {
  const { answers, userId, now } = input
  await db.query({
    text: `INSERT INTO support_answers (title, body_ru, body_en, changed_by, changed_at)
      SELECT title, ru, en, $userId, $now FROM unnest($titles::text[], $ru::text[], $en::text[]) AS written (title, ru, en)
      WHERE NOT EXISTS (SELECT FROM support_answers)`,
    values: {
      titles: answers.map(({ title }) => title),
      ru: answers.map(({ ru }) => ru),
      en: answers.map(({ en }) => en),
      userId,
      now,
    },
  })
}
