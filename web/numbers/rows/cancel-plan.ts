import type { NumberRecord } from '#web/live/numbers-cache.ts'
import { rentalActions } from '#web/numbers/rent-ticket/rental-actions.ts'
import { ticketActions } from '#web/numbers/ticket/ticket-actions.ts'

export type CancelPlan<Item extends NumberRecord> = {
  now: Item[]
  later: { record: Item; opensInSeconds: number }[]
  /** Open numbers that can never be cancelled, such as numbers with a code. */
  stay: Item[]
}

/** Divides open numbers by whether they can be cancelled. Ended numbers are in no part. */
export function cancelPlan<Item extends NumberRecord>(records: readonly Item[], nowMs: number): CancelPlan<Item> {
  const plan: CancelPlan<Item> = { now: [], later: [], stay: [] }
  for (const record of records) {
    if (record.final) continue
    const opensInSeconds = cancelOpensIn(record, nowMs)
    if (opensInSeconds === null) plan.stay.push(record)
    else if (opensInSeconds > 0) plan.later.push({ record, opensInSeconds })
    else plan.now.push(record)
  }
  return plan
}

function cancelOpensIn(record: NumberRecord, nowMs: number): number | null {
  if ('expired_date' in record) return rentalActions(record, nowMs).some(({ verb }) => verb === 'cancel') ? 0 : null
  return ticketActions(record, nowMs).find(({ verb }) => verb === 'cancel')?.opensInSeconds ?? null
}
