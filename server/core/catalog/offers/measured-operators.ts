import { internStrings } from '#server/house/db/intern-strings.ts'
import type { Yielding } from '#server/house/jobs/run-yielding.ts'
import type { Outcomes } from '../health/outcome-bounds.ts'
import { pairKey } from './offers-by-pair.ts'
import type { OutcomeRow } from './queries.ts'

/** `uncounted` has the purchases without a code beyond the number that counts per buyer and week. */
export type MeasuredOperator = { supplierId: number; operator: string; outcomes: Outcomes; uncounted: number }

const GROUPED_AT_ONCE = 5_000

export function* groupOutcomes(rows: readonly OutcomeRow[]): Yielding<Map<string, MeasuredOperator[]>> {
  const groups = new Map<string, MeasuredOperator[]>()
  const once = internStrings()
  for (const [place, row] of rows.entries()) {
    if (place % GROUPED_AT_ONCE === GROUPED_AT_ONCE - 1) yield
    const key = pairKey(row.service_code, row.country_id)
    const entry = {
      supplierId: row.supplier_id,
      operator: once(row.operator),
      uncounted: row.uncounted,
      outcomes: { purchases: row.purchases, codes: row.codes, secondsCounts: row.seconds_counts },
    }
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [entry])
    else group.push(entry)
  }
  return groups
}
