import type { Context } from '#server/context.ts'
import { isUniqueViolation } from '#server/db/constraint.ts'
import type { PricedRentOffer } from '#server/features/catalog/rent-index.ts'
import {
  type Asking,
  type Attempt,
  askInTurn,
  PHONE_PATTERN,
  type Settlement,
} from '#server/features/numbers/ask-in-turn.ts'
import { SUPPLIER_TIMEOUT_MS, withTimeout } from '#server/features/numbers/with-timeout.ts'
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
      const cost = { costLimitMicros: offer.costMicros, costCurrency: offer.currency }
      return nextRentalAttempt(ctx.db, { id, attempt, abandon, supplierId: supplier.id, ...cost })
    },
    ask: (supplier, row, offer) => ask(ctx, supplier, row, offer),
    fail: async ({ id }, abandon) => (await failRental(ctx.db, { id, now: ctx.clock.now(), abandon })) !== null,
    async findIfSettled({ id }) {
      const row = await findAnyRental(ctx.db, id)
      return row?.state === 'active' ? row : null
    },
  }
  return askInTurn(ctx, reserved, candidates, asking)
}

async function ask(
  ctx: Context,
  supplier: Supplier,
  row: RentalRow,
  offer: PricedRentOffer,
): Promise<Attempt<RentalRow>> {
  const { rent } = supplier
  // It does not rent any more since it was started again with other settings.
  if (rent === undefined) return { result: 'refused' }
  const order = {
    reference: rentReferenceOf(row),
    serviceCode: row.service_code,
    countryId: row.country_id,
    operator: offer.operator,
    hours: row.hours,
    maxCostMicros: offer.costMicros,
    currency: offer.currency,
    expiresAt: row.expires_at,
  }
  try {
    const answer = await withTimeout(SUPPLIER_TIMEOUT_MS, (signal) => rent.rent(order, signal))
    ctx.metrics.supplierCalls.inc({ supplier: supplier.code, call: 'rent', result: answer.outcome })
    if (answer.outcome === 'refused') return { result: 'refused' }
    return await settleRental(ctx, supplier, row, answer)
  } catch (error) {
    ctx.metrics.supplierCalls.inc({ supplier: supplier.code, call: 'rent', result: 'unknown' })
    ctx.log.warn({ error, supplier: supplier.code, reference: order.reference }, 'a rental has an unknown outcome')
    return { result: 'unknown' }
  }
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
  const refuse = (why: string): Settlement<RentalRow> => {
    const reference = rentReferenceOf(row)
    ctx.log.warn({ supplier: supplier.code, reference, why }, 'a number that was rented is not taken')
    return { result: 'unknown' }
  }
  if (!PHONE_PATTERN.test(number.phone)) return refuse('it is not a phone number')
  if (number.costMicros > row.cost_limit_micros) return refuse('it costs more than was allowed')
  const settled = await settleRented(ctx.db, {
    id: row.id,
    attempt: row.attempt,
    phone: number.phone,
    operator: number.operator,
    supplierReference: number.supplierReference,
    costMicros: number.costMicros,
    now: ctx.clock.now(),
  }).catch((error: unknown) => {
    if (isUniqueViolation(error, 'rentals_number_once')) return null
    throw error
  })
  return settled === null ? refuse('it is in use or burnt') : { result: 'settled', row: settled }
}
