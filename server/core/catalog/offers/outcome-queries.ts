import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'
import { isReal } from '#server/house/db/sandbox-sql.ts'
import { settledThrough } from '#server/house/money/checkpoints.ts'
import { LOG_SECONDS, OUTCOME_BOUNDS_SECONDS } from '../health/outcome-bounds.ts'

/** The maximum number of transfers per statement, because more would hit the statement time-out at each retry. */
const MOST_AT_ONCE = 50_000n

/**
 * The number of a buyer's purchases without a code that count per week, service and country. Each purchase with a code
 * raises this limit.
 */
export const FREE_MISSES = 4
export const MISSES_PER_CODE = 9

const CLASSES = Array.from({ length: OUTCOME_BOUNDS_SECONDS.length + 1 }, (_, position) => position)
const COUNTS = `ARRAY[${CLASSES.map((position) => `(count(*) FILTER (WHERE class = ${position}))::integer`).join(', ')}]`

function sumsOf(table: string): string {
  const at = (position: number) => `${table}.seconds_counts[${position + 1}] + excluded.seconds_counts[${position + 1}]`
  return `ARRAY[${CLASSES.map(at).join(', ')}]`
}

export type BoughtPair = { userId: number; serviceCode: string; countryId: number }
export type SupplierOutcome = {
  supplierId: number
  userId: number
  serviceCode: string
  countryId: number
  purchases: number
  codes: number
  logSeconds: number
  rented: boolean
}

/**
 * Counts each settled outcome exactly once, because the same statement stores the id of the last counted transfer. So a
 * clock set back loses no outcome. A buyer's failures count up to a limit, so that free cancellations change no success
 * share; `uncounted` has the failures beyond the limit.
 * - Activations go to `outcome_hours` and `user_hours`; captures of rentals and extensions only to `user_hours`.
 * - A refund is subtracted where its sale was counted.
 * - For suppliers, a captured rental with a message counts as a success, and a rental released without a message as a
 *   failure. A captured rental without a message does not count.
 */
export async function recordOutcomes(
  db: Db,
  now: Date,
): Promise<{ counted: number; pairs: BoughtPair[]; outcomes: SupplierOutcome[] }> {
  let counted = 0
  const outcomes: SupplierOutcome[] = []
  const pairs = new Map<string, BoughtPair>()
  const through = await settledThrough(db)
  // Nothing is counted now, because a long transaction may still write transfers with ids below the newest id.
  if (through === null) return { counted, pairs: [], outcomes }
  let after = await findMark(db, now)
  do {
    const step = { now, after, through: through - after > MOST_AT_ONCE ? after + MOST_AT_ONCE : through }
    for (const row of await countStep(db, step)) {
      const pair = { userId: row.user_id, serviceCode: row.service_code, countryId: row.country_id }
      const { supplier_id: supplierId, rented, log_seconds } = row
      const [purchases, codes, logSeconds] = [Number(row.counted), Number(row.codes), log_seconds ?? 0]
      outcomes.push({ supplierId, ...pair, purchases, codes, logSeconds, rented })
      if (rented) continue
      counted += purchases
      pairs.set(JSON.stringify(pair), pair)
    }
    after = step.through
  } while (after < through)
  return { counted, pairs: [...pairs.values()], outcomes }
}

/** Returns the id of the last counted transfer. Inserts missing settings first, because concurrent runs lock them. */
async function findMark(db: Db, now: Date): Promise<bigint> {
  await db.query({
    text: `INSERT INTO settings (key, value, updated_at) VALUES ('outcomes_through', '0', $1), ('outcomes_until', '"-infinity"', $1)
      ON CONFLICT DO NOTHING`,
    values: [now],
  })
  const { rows } = await db.query<{ through: bigint }>({
    text: `SELECT value::bigint AS through FROM settings WHERE key = 'outcomes_through'`,
  })
  return rows[0]?.through ?? 0n
}

type CountedRow = {
  user_id: number
  service_code: string
  country_id: number
  counted: bigint
  supplier_id: number
  codes: bigint
  /** The logarithm of the seconds until the code; null for a purchase without a code and for a rental. */
  log_seconds: number | null
  rented: boolean
}

const OUTCOME =
  'transfer_id, hour, user_id, supplier_id, service_code, country_id, operator, price_micros, coded, log_seconds, class, week'

/**
 * Counts the outcomes of transfers after `after`, up to `through`. The sums of earlier hours are added as rows (UNION
 * ALL), because PostgreSQL would execute a join row by row. The bound `after` repeats the id of the last counted
 * transfer as a value, which avoids a table scan. If another run has counted further, nothing is counted, because this
 * statement does not see the other run's sums.
 */
async function countStep(db: Db, step: { now: Date; after: bigint; through: bigint }): Promise<CountedRow[]> {
  const { rows } = await db.query<CountedRow>({
    text: `WITH before AS (
      SELECT value::bigint AS through FROM settings WHERE key = 'outcomes_through' AND value::bigint = $after FOR UPDATE
    ), settled AS (
      SELECT id AS transfer_id, kind, activation_id, charge_id FROM transfers
      WHERE id > (SELECT through FROM before) AND id > $after AND id <= $through
        AND kind IN ('capture', 'release', 'refund')
    ), sold AS (
      SELECT transfer_id, kind, date_trunc('hour', outcome_at, 'UTC') AS hour, user_id, supplier_id, service_code, country_id, operator,
        price_micros, first_code_at IS NOT NULL AS coded, ${LOG_SECONDS} AS log_seconds,
        width_bucket(extract(epoch FROM first_code_at - created_at)::float8, $boundsSeconds::float8[]) AS class
      FROM settled JOIN activations ON activations.id = activation_id
      WHERE outcome_at IS NOT NULL AND operator IS NOT NULL
    ), weekly AS (
      SELECT ${OUTCOME}, coded::integer AS paid, 1 - coded::integer AS missed
      FROM (SELECT *, date_trunc('week', hour, 'UTC') AS week FROM sold WHERE kind <> 'refund') one
    ), earlier AS (
      SELECT user_id, service_code, country_id, week, sum(h.codes) AS paid, sum(h.purchases - h.codes) AS missed
      FROM (SELECT DISTINCT user_id, service_code, country_id, week FROM weekly WHERE NOT coded) asked
      JOIN user_hours h USING (user_id, service_code, country_id)
      WHERE h.mode = 'activation' AND h.hour >= week AND h.hour < week + interval '168 hours'
      GROUP BY user_id, service_code, country_id, week
    ), in_turn AS (
      SELECT *, coded OR sum(missed) OVER before <= ${FREE_MISSES} + ${MISSES_PER_CODE} * sum(paid) OVER before AS counts
      FROM (
        SELECT * FROM weekly
        UNION ALL
        SELECT 0, NULL, user_id, NULL, service_code, country_id, NULL, NULL, false, NULL, NULL, week, paid, missed FROM earlier
      ) every
      WINDOW before AS (PARTITION BY user_id, service_code, country_id, week ORDER BY transfer_id)
    ), fresh AS (
      SELECT * FROM in_turn WHERE transfer_id > 0
    ), rented AS (
      SELECT kind, date_trunc('hour', c.settled_at, 'UTC') AS hour, c.user_id, r.service_code, r.country_id, c.price_micros, c.purpose
      FROM settled JOIN charges c ON c.id = charge_id JOIN rentals r ON r.id = c.rental_id WHERE kind <> 'release'
    ), tried AS (
      SELECT c.user_id, r.service_code, r.country_id, r.supplier_id, kind = 'capture' AS coded
      FROM settled JOIN charges c ON c.id = charge_id JOIN rentals r ON r.id = c.rental_id
      WHERE c.purpose = 'rental' AND r.operator IS NOT NULL AND (kind = 'release' OR (kind = 'capture' AND r.sms_count > 0))
    ), steps AS (
      SELECT user_id, hour, 'activation' AS mode, service_code, country_id, 1 AS purchases, coded::integer AS codes,
        CASE WHEN coded THEN price_micros ELSE 0 END AS spent_micros, class
      FROM fresh
      UNION ALL
      SELECT user_id, hour, 'activation', service_code, country_id, 0, 0, -price_micros, NULL FROM sold WHERE kind = 'refund'
      UNION ALL
      SELECT user_id, hour, 'rent', service_code, country_id, (kind = 'capture' AND purpose = 'rental')::integer, 0,
        CASE kind WHEN 'capture' THEN price_micros ELSE -price_micros END, NULL
      FROM rented
    ), of_all AS (
      INSERT INTO outcome_hours (hour, supplier_id, service_code, country_id, operator, purchases, uncounted, codes, seconds_counts)
      SELECT hour, supplier_id, service_code, country_id, operator, count(*) FILTER (WHERE counts), count(*) FILTER (WHERE NOT counts),
        count(*) FILTER (WHERE coded), ${COUNTS}
      FROM fresh WHERE ${isReal()} GROUP BY hour, supplier_id, service_code, country_id, operator
      ON CONFLICT (hour, supplier_id, service_code, country_id, operator) DO UPDATE
      SET purchases = outcome_hours.purchases + excluded.purchases, uncounted = outcome_hours.uncounted + excluded.uncounted,
        codes = outcome_hours.codes + excluded.codes, seconds_counts = ${sumsOf('outcome_hours')}
    ), of_each AS (
      INSERT INTO user_hours (user_id, hour, mode, service_code, country_id, purchases, codes, spent_micros, seconds_counts)
      SELECT user_id, hour, mode, service_code, country_id, sum(purchases), sum(codes), sum(spent_micros), ${COUNTS}
      FROM steps GROUP BY user_id, hour, mode, service_code, country_id
      ON CONFLICT (user_id, hour, mode, service_code, country_id) DO UPDATE
      SET purchases = user_hours.purchases + excluded.purchases, codes = user_hours.codes + excluded.codes,
        spent_micros = user_hours.spent_micros + excluded.spent_micros, seconds_counts = ${sumsOf('user_hours')}
    ), marked AS (
      UPDATE settings SET value = to_jsonb(greatest(through, $through)), updated_at = $now
      FROM before WHERE key = 'outcomes_through'
    ), dated AS (
      UPDATE settings SET value = to_jsonb($now::timestamptz), updated_at = $now WHERE key = 'outcomes_until'
    )
    SELECT user_id, service_code, country_id, supplier_id, count(*) AS counted, count(*) FILTER (WHERE coded) AS codes,
      sum(log_seconds) AS log_seconds, false AS rented
    FROM fresh WHERE ${isReal()} GROUP BY user_id, service_code, country_id, supplier_id
    UNION ALL
    SELECT user_id, service_code, country_id, supplier_id, count(*), count(*) FILTER (WHERE coded), NULL, true
    FROM tried WHERE ${isReal()} GROUP BY user_id, service_code, country_id, supplier_id`,
    values: { ...step, boundsSeconds: OUTCOME_BOUNDS_SECONDS },
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}

export async function findCountedUntil(db: Db): Promise<Date | null> {
  const { rows } = await db.query<{ until: Date | null }>({
    name: 'outcomes-until',
    text: `SELECT NULLIF((value #>> '{}')::timestamptz, '-infinity') AS until FROM settings WHERE key = 'outcomes_until'`,
  })
  return rows[0]?.until ?? null
}

const MOST_RENTS = 10_000

type RentOutcome = { supplierId: number; userId: number; serviceCode: string; countryId: number; coded: boolean }

export async function listRecentRents(db: Db, since: Date): Promise<RentOutcome[]> {
  const { rows } = await db.query<RentOutcome>({
    name: 'outcomes-of-rentals',
    text: `SELECT supplier_id AS "supplierId", user_id AS "userId", service_code AS "serviceCode", country_id AS "countryId",
        sms_count > 0 AS coded
      FROM rentals WHERE created_at > $1 AND ${isReal()} AND operator IS NOT NULL AND (sms_count > 0 OR state IN ('cancelled', 'revoked'))
      ORDER BY created_at LIMIT ${MOST_RENTS}`,
    values: [since],
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}
