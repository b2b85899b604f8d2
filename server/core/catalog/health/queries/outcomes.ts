import { ACTIVE_STATES } from '#contract/activation.ts'
import { LOG_SECONDS } from '#server/core/catalog/health/outcome-bounds.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'
import { isReal } from '#server/house/db/sandbox-sql.ts'
import { sqlList } from '#server/house/db/sql-list.ts'
import { isTrusted } from '#server/house/money/accounts.ts'

/** The maximum number of newest outcomes weighed for a supplier; older outcomes of a bad run tell nothing new. */
const MOST_WEIGHED = 300

const WITHDRAWN = sqlList(['cancelled', 'used'])

export type OutcomeSum = {
  supplier_id: number
  service_code: string
  country_id: number
  purchases: number
  codes: number
}

export type OutcomeOfSupplier = {
  supplier_id: number
  service_code: string
  country_id: number
  user_id: number
  coded: boolean | null
  withdrawn: boolean
}

export type RecentOutcome = OutcomeOfSupplier & {
  activation_id: bigint
  log_seconds: number | null
}

export async function sumOutcomeHours(db: Db, span: { from: Date; until: Date }): Promise<OutcomeSum[]> {
  const { rows } = await db.query<OutcomeSum>({
    text: `SELECT supplier_id, service_code, country_id, sum(purchases)::integer AS purchases, sum(codes)::integer AS codes
      FROM outcome_hours WHERE hour >= $1 AND hour < $2 GROUP BY supplier_id, service_code, country_id`,
    values: [span.from, span.until],
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}

export async function listTrusted(db: Db, userIds: readonly number[]): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'health-trusted',
    text: `SELECT buyer.id FROM unnest($1::integer[]) AS buyer (id) WHERE ${isTrusted('buyer.id')}`,
    values: [userIds],
  })
  return rows.map(({ id }) => id)
}

/**
 * Returns purchases without a code that do not count as evidence, because their buyers already had too many such
 * purchases this week.
 */
export async function listUnbelieved(
  db: Db,
  input: { activationIds: readonly bigint[]; userIds: readonly number[]; now: Date },
): Promise<bigint[]> {
  const { rows } = await db.query<{ activation_id: bigint }>({
    name: 'health-unbelieved',
    text: `SELECT miss.activation_id FROM unnest($userIds::integer[]) AS buyer (id), buyer_misses(buyer.id, $now::timestamptz, NULL) miss
      WHERE NOT miss.believed AND miss.activation_id = ANY ($activationIds::bigint[])`,
    values: input,
    limitMs: SLOW_LIMIT_MS,
  })
  return rows.map((row) => row.activation_id)
}

export async function listRecentOutcomes(
  db: Db,
  { supplierIds, since }: { supplierIds: readonly number[]; since: Date },
): Promise<RecentOutcome[]> {
  const { rows } = await db.query<RecentOutcome>({
    name: 'health-recent-outcomes',
    text: `SELECT asked.id AS supplier_id, activation_id, service_code, country_id, user_id, coded, withdrawn, log_seconds
      FROM unnest($supplierIds::integer[]) AS asked (id)
      LEFT JOIN supplier_standings s ON s.supplier_id = asked.id
      CROSS JOIN LATERAL (
        SELECT a.id AS activation_id, a.service_code, a.country_id, a.user_id, a.first_code_at IS NOT NULL AS coded,
          a.state IN (${WITHDRAWN}) AS withdrawn, ${LOG_SECONDS} AS log_seconds, a.outcome_at FROM activations a
        WHERE a.supplier_id = asked.id AND a.outcome_at > GREATEST($since, s.judged_from) AND a.operator IS NOT NULL
          AND a.created_at > COALESCE(s.judged_from, '-infinity')
        ORDER BY a.outcome_at DESC LIMIT ${MOST_WEIGHED}) newest
      ORDER BY asked.id, newest.outcome_at`,
    values: { supplierIds, since },
  })
  return rows
}

export async function listTrials(db: Db, supplierIds: readonly number[]): Promise<OutcomeOfSupplier[]> {
  const { rows } = await db.query<OutcomeOfSupplier>({
    name: 'health-trials',
    text: `SELECT a.supplier_id, a.service_code, a.country_id, a.user_id, a.first_code_at IS NOT NULL AS coded,
        a.state IN (${WITHDRAWN}) AS withdrawn
      FROM supplier_standings s JOIN activations a USING (supplier_id)
      WHERE s.supplier_id = ANY ($1) AND a.outcome_at > s.judged_from AND a.created_at > s.judged_from AND a.operator IS NOT NULL
      UNION ALL SELECT a.supplier_id, a.service_code, a.country_id, a.user_id, NULL, false
      FROM supplier_standings s JOIN activations a USING (supplier_id)
      WHERE s.supplier_id = ANY ($1) AND a.state IN (${sqlList(['reserving', ...ACTIVE_STATES])}) AND a.outcome_at IS NULL
        AND a.created_at > s.judged_from`,
    values: [supplierIds],
  })
  return rows
}

/** Lists buyers who get no more trial purchases: since `since`, they ended one early or had two without a code. */
export async function listBarred(
  db: Db,
  { supplierIds, since }: { supplierIds: readonly number[]; since: Date },
): Promise<{ supplier_id: number; user_id: number }[]> {
  const { rows } = await db.query<{ supplier_id: number; user_id: number }>({
    name: 'health-barred',
    text: `SELECT a.supplier_id, a.user_id FROM supplier_standings s JOIN activations a USING (supplier_id)
      WHERE s.supplier_id = ANY ($supplierIds) AND a.outcome_at > s.since AND a.created_at > GREATEST(s.since, $since)
        AND a.operator IS NOT NULL AND a.first_code_at IS NULL
      GROUP BY a.supplier_id, a.user_id HAVING bool_or(a.state IN (${WITHDRAWN})) OR count(*) >= 2`,
    values: { supplierIds, since },
  })
  return rows
}

export async function sumRecentOutcomes(db: Db, since: Date): Promise<OutcomeSum[]> {
  const { rows } = await db.query<OutcomeSum>({
    name: 'health-sum-recent',
    text: `SELECT supplier_id, service_code, country_id, count(*)::integer AS purchases,
        (count(*) FILTER (WHERE first_code_at IS NOT NULL))::integer AS codes
      FROM activations WHERE outcome_at > $1 AND operator IS NOT NULL AND ${isReal()} GROUP BY supplier_id, service_code, country_id`,
    values: [since],
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}

/** Sums the codes of each service by hour, since a time. */
export async function sumCodesByHour(
  db: Db,
  since: Date,
): Promise<{ service_code: string; hour: Date; codes: number }[]> {
  const { rows } = await db.query<{ service_code: string; hour: Date; codes: number }>({
    name: 'codes-by-hour',
    text: `SELECT service_code, hour, sum(codes)::integer AS codes FROM outcome_hours
      WHERE hour >= $1 GROUP BY service_code, hour`,
    values: [since],
  })
  return rows
}
