import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import type { Supplier } from '#server/suppliers/supplier.ts'
import type { Settlement } from './settle-number.ts'
import { SUPPLIER_TIMEOUT_MS } from './with-timeout.ts'

/** The buyer waits no longer than this for all attempts together: the last one has what is left of it. */
export const ALL_ATTEMPTS_MS = 20 * SECOND
const MAX_ATTEMPTS = 4
/** With less than this left no other supplier is asked. */
const SHORTEST_ATTEMPT_MS = SECOND

export type Attempt<Row> = Settlement<Row> | { result: 'refused' }

/** The statements of one kind of purchase. With `abandon`, a job finds out what the last attempt sold and gives it back. */
export type Asking<Row, Offer> = {
  /** Moves the reservation on to its next attempt; null when it is not a reservation any more. */
  move(row: Row, next: { supplier: Supplier; offer: Offer; abandon: boolean }): Promise<Row | null>
  /** Without an answer within `limitMs` its outcome is unknown. */
  ask(supplier: Supplier, row: Row, offer: Offer, limitMs: number): Promise<Attempt<Row>>
  /** Releases the money; false when it is not a reservation any more. */
  fail(row: Row, abandon: boolean): Promise<boolean>
  /** What the reservation has become: an answer of the database was lost after its commit. */
  findIfSettled(row: Row): Promise<Row | null>
}

/**
 * Asks the candidates one after another until one gives a number. Returns what became of the reservation, or null after
 * all refused: then the money is released. An attempt whose outcome is unknown, or whose number the buyer cannot have, is
 * left to a job that asks the supplier and gives back whatever was sold.
 */
export async function askInTurn<Row, Offer extends { supplierId: number }>(
  ctx: Context,
  reserved: Row,
  candidates: readonly Offer[],
  asking: Asking<Row, Offer>,
): Promise<Row | null> {
  const deadline = performance.now() + ALL_ATTEMPTS_MS
  const passedOver = new Set<number>()
  let row = reserved
  let abandon = false
  let asked = 0
  for (const offer of candidates) {
    if (asked === MAX_ATTEMPTS || deadline - performance.now() < SHORTEST_ATTEMPT_MS) break
    const supplier = ctx.suppliers.get(offer.supplierId)
    if (supplier === undefined || passedOver.has(offer.supplierId)) continue
    // The reservation was made for the first candidate, which may not be at work any more.
    if (offer !== candidates[0]) {
      const moved = await asking.move(row, { supplier, offer, abandon })
      if (moved === null) return asking.findIfSettled(row)
      row = moved
    }
    asked += 1
    const limitMs = Math.min(SUPPLIER_TIMEOUT_MS, deadline - performance.now())
    const outcome = await asking.ask(supplier, row, offer, limitMs)
    if (outcome.result === 'settled') return outcome.row
    abandon = outcome.result !== 'refused'
    if (outcome.result === 'unknown') passedOver.add(supplier.id)
  }
  return (await asking.fail(row, abandon)) ? null : asking.findIfSettled(row)
}
