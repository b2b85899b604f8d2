import { ACTIVE_STATES } from '#contract/activation.ts'
import { CALL_BOUNDS_MS } from '#server/core/catalog/health/call-bounds.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'
import { isReal } from '#server/house/db/sandbox-sql.ts'
import { sqlList } from '#server/house/db/sql-list.ts'
import type { PairShare } from './shown.ts'

const PLACES = Array.from({ length: CALL_BOUNDS_MS.length + 1 }, (_, place) => place + 1)

type CallsOfSupplier = { supplier_id: number; calls: number; errors: number; milliseconds_counts: number[] }

export async function sumCallsOfAll(db: Db, since: Date): Promise<CallsOfSupplier[]> {
  const { rows } = await db.query<CallsOfSupplier>({
    name: 'board-calls',
    text: `SELECT supplier_id, sum(calls)::integer AS calls, sum(errors)::integer AS errors,
        ARRAY[${PLACES.map((place) => `sum(milliseconds_counts[${place}])::integer`).join(', ')}] AS milliseconds_counts
      FROM supplier_call_hours WHERE hour > $1 GROUP BY supplier_id`,
    values: [since],
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}

export type WindowRow = Pick<PairShare, 'service_code' | 'country_id'> & {
  supplier_id: number
  purchases: number[]
  codes: number[]
}

/** Counts purchases and codes since each of the given times, by supplier, service and country, in a single scan. */
export async function sumWindows(db: Db, since: readonly Date[]): Promise<WindowRow[]> {
  const counts = (condition: string) =>
    since
      .map(
        (_, place) => `(count(*) FILTER (WHERE outcome_at > ($1::timestamptz[])[${place + 1}] ${condition}))::integer`,
      )
      .join(', ')
  const { rows } = await db.query<WindowRow>({
    name: `board-windows-${since.length}`,
    text: `SELECT supplier_id, service_code, country_id, ARRAY[${counts('')}] AS purchases,
        ARRAY[${counts('AND first_code_at IS NOT NULL')}] AS codes
      FROM activations WHERE outcome_at > $2 AND operator IS NOT NULL AND supplier_id IS NOT NULL AND ${isReal()}
      GROUP BY supplier_id, service_code, country_id`,
    values: [since, new Date(Math.min(...since.map((at) => at.getTime())))],
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}

type CountOfSupplier = { supplier_id: number; count: number }

export async function countOpenNumbers(db: Db): Promise<CountOfSupplier[]> {
  const { rows } = await db.query<CountOfSupplier>({
    name: 'board-open',
    text: `SELECT supplier_id, count(*)::integer AS count FROM (
        SELECT supplier_id FROM activations WHERE state IN (${sqlList(ACTIVE_STATES)})
        UNION ALL SELECT supplier_id FROM rentals WHERE state = 'active') open
      WHERE supplier_id IS NOT NULL AND ${isReal()} GROUP BY supplier_id`,
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}

/** The maximum number of newest messages that are counted, because a larger number is a flood. */
const MOST_UNMATCHED = 100_000

export async function countUnmatchedOfAll(db: Db, since: Date): Promise<CountOfSupplier[]> {
  const { rows } = await db.query<CountOfSupplier>({
    name: 'board-unmatched',
    text: `SELECT supplier_id, count(*)::integer AS count FROM (
        SELECT supplier_id FROM messages
        WHERE given = 'unmatched' AND given = ANY ('{unmatched,late,operator,junk}'::text[]) AND received_at >= $1 AND ${isReal()}
        ORDER BY received_at DESC LIMIT ${MOST_UNMATCHED}) newest GROUP BY supplier_id`,
    values: [since],
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}
