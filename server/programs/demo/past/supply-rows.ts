import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { at, type PastFacts, type StoredOrder } from './order-rows.ts'
import type { Row } from './row-queries.ts'

/** How calls of the simulator took: one in this many beyond a class of CALL_BOUNDS_MS went to the next. */
const SLOWER_EVERY = 9
const CLASSES = 8
const KEPT_MS = 30 * DAY
const FALLEN_AGO_MS = 9 * DAY

/** The supplier's calls by the hour: one to buy each number, and one to end it. */
export function callHourRows(orders: readonly StoredOrder[], { nowMs, supplierId }: PastFacts): Row[] {
  const recent = orders.filter(({ createdAtMs }) => createdAtMs > nowMs - KEPT_MS)
  const rowsOf = (call: string, timeOf: (order: StoredOrder) => number) =>
    [...Map.groupBy(recent, (order) => Math.floor(timeOf(order) / HOUR) * HOUR)].map(([hourMs, { length: calls }]) => ({
      hour: at(hourMs),
      supplier_id: supplierId,
      call,
      calls,
      errors: 0,
      milliseconds_counts: spread(calls),
    }))
  return [...rowsOf('buy', ({ createdAtMs }) => createdAtMs), ...rowsOf('end', ({ endedAtMs }) => endedAtMs)]
}

function spread(calls: number): number[] {
  const counts = new Array<number>(CLASSES).fill(0)
  let left = calls
  for (let place = 1; place < CLASSES; place += 1) {
    const slower = Math.floor(left / SLOWER_EVERY)
    counts[place] = left - slower
    left = slower
  }
  return counts
}

/** A bad hour in which the supplier was taken off sale, and came back. */
export function supplierEventRows({ nowMs, supplierId }: PastFacts): Row[] {
  const fallenAtMs = nowMs - FALLEN_AGO_MS
  return [
    {
      supplier_id: supplierId,
      at: at(fallenAtMs),
      kind: 'set-aside',
      reason: '7 codes of 31 purchases, where 26.4 are usual',
    },
    {
      supplier_id: supplierId,
      at: at(fallenAtMs + 38 * MINUTE),
      kind: 'returned',
      reason: '3 codes of 3 purchases, where 2.6 are usual',
    },
  ]
}
