import type { PricedRentOffer } from '#server/catalog/offers/rent-index.ts'
import type { Context } from '#server/context.ts'
import { type Asking, askInTurn } from '#server/numbers/sourcing/ask-in-turn.ts'
import { askSupplier } from '#server/numbers/sourcing/ask-supplier.ts'
import { type Settlement, settleNumber } from '#server/numbers/sourcing/settle-number.ts'
import type { BoughtNumber, Supplier } from '#server/suppliers/supplier.ts'
import { findAnyRental } from './queries/read.ts'
import { failRental, nextRentalAttempt, settleRented } from './queries/reserve.ts'
import type { RentalRow } from './queries/row.ts'

/** What is told to a supplier as our key for this attempt. */
export function rentReferenceOf(row: { id: bigint; attempt: number }): string {
  return `r${row.id}-${row.attempt}`
}

/**
 * Asks the candidates in turn. Returns the rental in state `active`, or null after all refused: then the money is released.
 * What an attempt without an answer did is found out by the job `abandon-rental`.
 */
export async function askForRental(
  ctx: Context,
  reserved: RentalRow,
  candidates: readonly PricedRentOffer[],
): Promise<RentalRow | null> {
  const asking: Asking<RentalRow, PricedRentOffer> = {
    move({ id, attempt }, { supplier, offer, abandon }) {
      const cost = { costLimitMicros: offer.costMicros, costCurrency: offer.currency, now: ctx.clock.now() }
      return nextRentalAttempt(ctx.db, { id, attempt, abandon, supplierId: supplier.id, ...cost })
    },
    async ask(supplier, row, offer, limitMs) {
      const { rent } = supplier
      // It does not rent any more since it was started again with other settings.
      if (rent === undefined) return { result: 'refused' }
      return askSupplier(ctx, {
        supplier,
        row,
        offer,
        reference: rentReferenceOf(row),
        limitMs,
        call: 'rent',
        ask: (order, signal) => rent.rent({ ...order, hours: row.hours }, signal),
        settle: settleRental,
      })
    },
    fail: async ({ id }, abandon) => (await failRental(ctx.db, { id, now: ctx.clock.now(), abandon })) !== null,
    async findIfSettled({ id }) {
      const row = await findAnyRental(ctx.db, id)
      return row?.state === 'active' ? row : null
    },
  }
  return askInTurn(ctx, reserved, candidates, asking)
}

/**
 * Gives the number to the buyer, unless it cost more than this attempt may, is in use, burnt, or no phone number at all.
 * Then nothing has changed, and whoever asks has the attempt undone.
 */
export async function settleRental(
  ctx: Context,
  supplier: Supplier,
  row: RentalRow,
  number: BoughtNumber,
): Promise<Settlement<RentalRow>> {
  const reference = rentReferenceOf(row)
  return settleNumber(ctx, row, number, {
    ...{ supplier, reference, kind: 'rental', usedOnce: 'rentals_number_once' },
    give: settleRented,
  })
}
