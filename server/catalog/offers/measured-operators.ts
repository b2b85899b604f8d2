import { pairKey } from './offers-by-pair.ts'
import type { Outcomes } from './outcome-bounds.ts'
import type { OutcomeRow } from './queries.ts'

/** `uncounted`: misses beyond the limit of one buyer. */
export type MeasuredOperator = { supplierId: number; operator: string; outcomes: Outcomes; uncounted: number }

/** By `pairKey`. */
export function groupOutcomes(rows: OutcomeRow[]): Map<string, MeasuredOperator[]> {
  const groups = new Map<string, MeasuredOperator[]>()
  for (const row of rows) {
    const key = pairKey(row.service_code, row.country_id)
    const entry = {
      supplierId: row.supplier_id,
      operator: row.operator,
      uncounted: row.uncounted,
      outcomes: { purchases: row.purchases, codes: row.codes, secondsCounts: row.seconds_counts },
    }
    groups.set(key, [...(groups.get(key) ?? []), entry])
  }
  return groups
}
