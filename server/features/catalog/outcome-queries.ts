import type { Db } from '#server/db/pool.ts'
import { OUTCOME_BOUNDS_SECONDS } from './outcome-bounds.ts'

/** A statement may commit a little after the time it wrote; outcomes younger than this are left for the next run. */
const COMMIT_LAG_MS = 10_000

const CLASSES = Array.from({ length: OUTCOME_BOUNDS_SECONDS.length + 1 }, (_, position) => position)

/**
 * Adds the outcomes that became known since the last run to `outcome_hours`, each exactly once: the mark of how far
 * it came moves in the same statement. Returns how many activations were counted.
 */
export async function recordOutcomes(db: Db, now: Date): Promise<number> {
  const counts = CLASSES.map((position) => `(count(*) FILTER (WHERE class = ${position}))::integer`).join(', ')
  const sums = CLASSES.map(
    (position) => `outcome_hours.seconds_counts[${position + 1}] + excluded.seconds_counts[${position + 1}]`,
  ).join(', ')
  const { rows } = await db.query<{ counted: bigint }>({
    text: `WITH before AS (
      SELECT COALESCE((SELECT (value #>> '{}')::timestamptz FROM settings WHERE key = 'outcomes_until'), '-infinity') AS until
    ), fresh AS (
      SELECT date_trunc('hour', outcome_at) AS hour, supplier_id, service_code, country_id, operator,
        first_code_at IS NOT NULL AS coded,
        width_bucket(extract(epoch FROM first_code_at - created_at)::float8, $2::float8[]) AS class
      FROM activations WHERE outcome_at > (SELECT until FROM before) AND outcome_at <= $1 AND operator IS NOT NULL
    ), counted AS (
      INSERT INTO outcome_hours (hour, supplier_id, service_code, country_id, operator, purchases, codes, seconds_counts)
      SELECT hour, supplier_id, service_code, country_id, operator, count(*), count(*) FILTER (WHERE coded), ARRAY[${counts}]
      FROM fresh GROUP BY hour, supplier_id, service_code, country_id, operator
      ON CONFLICT (hour, supplier_id, service_code, country_id, operator) DO UPDATE
      SET purchases = outcome_hours.purchases + excluded.purchases, codes = outcome_hours.codes + excluded.codes,
        seconds_counts = ARRAY[${sums}]
    ), marked AS (
      INSERT INTO settings (key, value, updated_at) VALUES ('outcomes_until', to_jsonb($1::timestamptz), $1)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at
    )
    SELECT count(*) AS counted FROM fresh`,
    values: [new Date(now.getTime() - COMMIT_LAG_MS), OUTCOME_BOUNDS_SECONDS],
  })
  return Number(rows[0]?.counted ?? 0n)
}
