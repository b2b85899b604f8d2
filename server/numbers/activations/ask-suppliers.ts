import type { PricedOffer } from '#server/catalog/offers/catalog-index.ts'
import type { Context } from '#server/context.ts'
import { type Asking, askInTurn } from '#server/numbers/sourcing/ask-in-turn.ts'
import { askSupplier } from '#server/numbers/sourcing/ask-supplier.ts'
import { type Settlement, settleNumber } from '#server/numbers/sourcing/settle-number.ts'
import type { BoughtNumber, Supplier } from '#server/suppliers/supplier.ts'
import { failReservation, nextAttempt, settleBought } from './queries/purchase.ts'
import { findAnyActivation } from './queries/read.ts'
import type { ActivationRow } from './queries/row.ts'

/** What is told to a supplier as our key for this attempt. */
export function referenceOf(row: { id: bigint; attempt: number }): string {
  return `${row.id}-${row.attempt}`
}

/**
 * Asks the candidates one after another until one gives a number. Returns the activation in state `waiting`, or null
 * after all refused: then the money is released. An attempt whose outcome is unknown (no answer, a broken one) or whose
 * number the buyer cannot have (`settle`) is left to a job that asks the supplier and gives back whatever was sold.
 * `number`: that one or none, because its buyer had it before.
 */
export async function askSuppliers(
  ctx: Context,
  reserved: ActivationRow,
  candidates: readonly PricedOffer[],
  { number }: { number?: string | undefined } = {},
): Promise<ActivationRow | null> {
  const asking: Asking<ActivationRow, PricedOffer> = {
    move({ id, attempt }, { supplier, offer, abandon }) {
      const now = ctx.clock.now()
      const costLimitMicros = offer.costMicros
      return nextAttempt(ctx.db, { id, attempt, abandon, supplierId: supplier.id, costLimitMicros, now })
    },
    ask(supplier, row, offer, limitMs) {
      const repeat = number !== undefined && { repeatOf: number }
      return askSupplier(ctx, {
        supplier,
        row,
        offer,
        reference: referenceOf(row),
        limitMs,
        call: 'buy',
        ask: (order, signal) => supplier.buy({ ...order, ...repeat }, signal),
        settle,
      })
    },
    fail: async ({ id }, abandon) => (await failReservation(ctx.db, { id, now: ctx.clock.now(), abandon })) !== null,
    async findIfSettled({ id }) {
      const row = await findAnyActivation(ctx.db, id)
      // A message may have come already.
      return row?.state === 'waiting' || row?.state === 'received' ? row : null
    },
  }
  return askInTurn(ctx, reserved, candidates, asking)
}

/**
 * Gives the number to the buyer, unless he excluded such numbers (`unwanted`), or it cost more than this attempt may, is
 * in use, burnt, not the one wanted, or no phone number at all (`unknown`). Then nothing has changed, and whoever asks has
 * the attempt undone.
 */
export async function settle(
  ctx: Context,
  supplier: Supplier,
  row: ActivationRow,
  number: BoughtNumber,
): Promise<Settlement<ActivationRow>> {
  if (row.excluded_prefixes.some((prefix) => number.phone.startsWith(prefix))) return { result: 'unwanted' }
  return settleNumber(ctx, row, number, {
    supplier,
    reference: referenceOf(row),
    kind: 'activation',
    usedOnce: 'activations_number_once',
    give: settleBought,
  })
}
