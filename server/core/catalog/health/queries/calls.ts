import { CALL_BOUNDS_MS } from '#server/core/catalog/health/call-bounds.ts'
import type { CallLine } from '#server/core/catalog/health/call-log.ts'
import type { Db } from '#server/house/db/pool.ts'

const PLACES = Array.from({ length: CALL_BOUNDS_MS.length + 1 }, (_, place) => place + 1)
const SUMS = PLACES.map((place) => `known.milliseconds_counts[${place}] + excluded.milliseconds_counts[${place}]`).join(
  ', ',
)

export async function addCallLines(db: Db, lines: readonly CallLine[]): Promise<void> {
  await db.query({
    name: 'health-calls',
    text: `INSERT INTO supplier_call_hours AS known (hour, supplier_id, call, calls, errors, milliseconds_counts)
      SELECT hour, supplier_id, call, calls, errors, counts::integer[]
      FROM unnest($hours::timestamptz[], $supplierIds::integer[], $names::text[], $calls::integer[], $errors::integer[],
        $counts::text[]) AS given (hour, supplier_id, call, calls, errors, counts)
      JOIN suppliers ON suppliers.id = supplier_id
      ON CONFLICT (hour, supplier_id, call) DO UPDATE
      SET calls = known.calls + excluded.calls, errors = known.errors + excluded.errors, milliseconds_counts = ARRAY[${SUMS}]`,
    values: {
      hours: lines.map(({ hour }) => hour),
      supplierIds: lines.map(({ supplierId }) => supplierId),
      names: lines.map(({ call }) => call),
      calls: lines.map(({ calls }) => calls),
      errors: lines.map(({ errors }) => errors),
      counts: lines.map(({ millisecondsCounts }) => `{${millisecondsCounts.join(',')}}`),
    },
  })
}

export type CallSum = { call: string; calls: number; errors: number; milliseconds_counts: number[] }

export async function sumCalls(db: Db, input: { supplierId: number; since: Date }): Promise<CallSum[]> {
  const { rows } = await db.query<CallSum>({
    text: `SELECT call, sum(calls)::integer AS calls, sum(errors)::integer AS errors,
        ARRAY[${PLACES.map((place) => `sum(milliseconds_counts[${place}])::integer`).join(', ')}] AS milliseconds_counts
      FROM supplier_call_hours WHERE supplier_id = $1 AND hour > $2 GROUP BY call ORDER BY call`,
    values: [input.supplierId, input.since],
  })
  return rows
}
