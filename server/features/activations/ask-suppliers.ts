import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { isUniqueViolation } from '#server/db/constraint.ts'
import type { PricedOffer } from '#server/features/catalog/catalog-index.ts'
import type { BoughtNumber, Supplier } from '#server/suppliers/supplier.ts'
import { failReservation, nextAttempt, settleBought } from './queries/purchase.ts'
import { findAnyActivation } from './queries/read.ts'
import type { ActivationRow } from './queries/row.ts'

/** A supplier that has not answered by then is passed over; what it did is found out afterwards. */
export const SUPPLIER_TIMEOUT_MS = 8 * SECOND
/** The buyer waits no longer than this for all attempts together. */
const ALL_ATTEMPTS_MS = 20 * SECOND
const MAX_ATTEMPTS = 4

/** What is told to a supplier as our key for this attempt. */
export function referenceOf(row: { id: bigint; attempt: number }): string {
  return `${row.id}-${row.attempt}`
}

/**
 * Asks the candidates one after another until one gives a number. Returns the activation in state `waiting`, or null
 * after all refused: then the money is released. An attempt whose outcome is unknown (no answer, a broken one) or whose
 * number the buyer cannot have (`settle`) is left to a job that asks the supplier and gives back whatever was sold.
 */
export async function askSuppliers(
  ctx: Context,
  reserved: ActivationRow,
  candidates: readonly PricedOffer[],
): Promise<ActivationRow | null> {
  const deadline = performance.now() + ALL_ATTEMPTS_MS
  const passedOver = new Set<number>()
  let row = reserved
  let abandon = false
  let asked = 0
  for (const offer of candidates) {
    if (asked === MAX_ATTEMPTS || performance.now() >= deadline) break
    const supplier = ctx.suppliers.get(offer.supplierId)
    if (supplier === undefined || passedOver.has(offer.supplierId)) continue
    // The reservation was made for the first candidate, which may not be at work any more.
    if (offer !== candidates[0]) {
      const attempt = { id: row.id, attempt: row.attempt, abandon }
      const next = { supplierId: supplier.id, costLimitMicros: offer.costMicros }
      const moved = await nextAttempt(ctx.db, { ...attempt, ...next })
      // An answer of the database was lost after its commit: the number may be the buyer's already.
      if (moved === null) return findIfBought(ctx, row.id)
      row = moved
    }
    asked += 1
    const outcome = await ask(ctx, supplier, row, offer)
    if (outcome.result === 'settled') return outcome.row
    abandon = outcome.result !== 'refused'
    if (outcome.result === 'unknown') passedOver.add(supplier.id)
  }
  const failed = await failReservation(ctx.db, { id: row.id, now: ctx.clock.now(), abandon })
  return failed === null ? findIfBought(ctx, row.id) : null
}

async function findIfBought(ctx: Context, id: bigint): Promise<ActivationRow | null> {
  const row = await findAnyActivation(ctx.db, id)
  return row?.state === 'waiting' ? row : null
}

type Settlement = { result: 'settled'; row: ActivationRow } | { result: 'unwanted' } | { result: 'unknown' }
type Attempt = Settlement | { result: 'refused' }

async function ask(ctx: Context, supplier: Supplier, row: ActivationRow, offer: PricedOffer): Promise<Attempt> {
  const order = {
    reference: referenceOf(row),
    serviceCode: row.service_code,
    countryId: row.country_id,
    operator: offer.operator,
    maxCostMicros: offer.costMicros,
    currency: offer.currency,
    expiresAt: row.expires_at,
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
 * in use, burnt, or no phone number at all (`unknown`). Then nothing has changed, and whoever asks has the attempt undone.
 */
export async function settle(
  ctx: Context,
  supplier: Supplier,
  row: ActivationRow,
  number: BoughtNumber,
): Promise<Settlement> {
  if (row.excluded_prefixes.some((prefix) => number.phone.startsWith(prefix))) return { result: 'unwanted' }
  const refuse = (why: string): Settlement => {
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
  return settled === null ? refuse('it is in use or burnt') : { result: 'settled', row: settled }
}

const PHONE_PATTERN = /^\d{5,15}$/

/** Runs an outside call that is aborted, and given up on even if it does not listen, after `timeoutMs`. */
export async function withTimeout<T>(timeoutMs: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = new Error(`no answer within ${timeoutMs} ms`)
    controller.abort(error)
    reject(error)
  }, timeoutMs)
  try {
    return await Promise.race([call(controller.signal), promise])
  } finally {
    clearTimeout(timer)
  }
}
