import type { Context } from '#server/context.ts'
import { isUniqueViolation } from '#server/db/constraint.ts'
import type { PricedOffer } from '#server/features/catalog/catalog-index.ts'
import {
  type Asking,
  type Attempt,
  askInTurn,
  PHONE_PATTERN,
  type Settlement,
} from '#server/features/numbers/ask-in-turn.ts'
import { SUPPLIER_TIMEOUT_MS, withTimeout } from '#server/features/numbers/with-timeout.ts'
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
 * `wanted.number`: that one or none, because its buyer had it before.
 */
export async function askSuppliers(
  ctx: Context,
  reserved: ActivationRow,
  candidates: readonly PricedOffer[],
  wanted: { number?: string | undefined } = {},
): Promise<ActivationRow | null> {
  const asking: Asking<ActivationRow, PricedOffer> = {
    move({ id, attempt }, { supplier, offer, abandon }) {
      return nextAttempt(ctx.db, { id, attempt, abandon, supplierId: supplier.id, costLimitMicros: offer.costMicros })
    },
    ask: (supplier, row, offer) => ask(ctx, supplier, row, { offer, ...wanted }),
    fail: async ({ id }, abandon) => (await failReservation(ctx.db, { id, now: ctx.clock.now(), abandon })) !== null,
    async findIfSettled({ id }) {
      const row = await findAnyActivation(ctx.db, id)
      return row?.state === 'waiting' ? row : null
    },
  }
  return askInTurn(ctx, reserved, candidates, asking)
}

async function ask(
  ctx: Context,
  supplier: Supplier,
  row: ActivationRow,
  { offer, number }: { offer: PricedOffer; number?: string | undefined },
): Promise<Attempt<ActivationRow>> {
  const order = {
    reference: referenceOf(row),
    serviceCode: row.service_code,
    countryId: row.country_id,
    operator: offer.operator,
    maxCostMicros: offer.costMicros,
    currency: offer.currency,
    expiresAt: row.expires_at,
    ...(number !== undefined && { repeatOf: number }),
  }
  try {
    const answer = await withTimeout(SUPPLIER_TIMEOUT_MS, (signal) => supplier.buy(order, signal))
    ctx.metrics.supplierCalls.inc({ supplier: supplier.code, call: 'buy', result: answer.outcome })
    if (answer.outcome === 'refused') return { result: 'refused' }
    return await settle(ctx, supplier, row, answer)
  } catch (error) {
    ctx.metrics.supplierCalls.inc({ supplier: supplier.code, call: 'buy', result: 'unknown' })
    ctx.log.warn({ error, supplier: supplier.code, reference: order.reference }, 'a purchase has an unknown outcome')
    return { result: 'unknown' }
  }
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
  const refuse = (why: string): Settlement<ActivationRow> => {
    ctx.log.warn({ supplier: supplier.code, reference: referenceOf(row), why }, 'a number that was sold is not taken')
    return { result: 'unknown' }
  }
  if (!PHONE_PATTERN.test(number.phone)) return refuse('it is not a phone number')
  if (number.costMicros > (row.cost_limit_micros ?? 0n)) return refuse('it costs more than was allowed')
  const settled = await settleBought(ctx.db, {
    id: row.id,
    attempt: row.attempt,
    phone: number.phone,
    operator: number.operator,
    supplierReference: number.supplierReference,
    costMicros: number.costMicros,
    now: ctx.clock.now(),
  }).catch((error: unknown) => {
    if (isUniqueViolation(error, 'activations_number_once')) return null
    throw error
  })
  return settled === null ? refuse('it is in use, burnt, or not the one wanted') : { result: 'settled', row: settled }
}
