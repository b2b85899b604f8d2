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
 * after all refused: then the money is released. An attempt whose outcome is unknown (no answer, a broken one, a
 * number that is in use, one the buyer does not want) is left to a job that asks the supplier and gives back whatever
 * was sold.
 */
export async function askSuppliers(
  ctx: Context,
  reserved: ActivationRow,
  candidates: readonly PricedOffer[],
  excludedPrefixes: readonly string[] = [],
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
    if (asked > 0) {
      const moved = await nextAttempt(ctx.db, { id: row.id, attempt: row.attempt, supplierId: supplier.id, abandon })
      // An answer of the database was lost after its commit: the number may be the buyer's already.
      if (moved === null) return findIfBought(ctx, row.id)
      row = moved
    }
    asked += 1
    const outcome = await ask(ctx, supplier, row, { offer, excludedPrefixes })
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

type Attempt =
  | { result: 'settled'; row: ActivationRow }
  | { result: 'refused' }
  | { result: 'unwanted' }
  | { result: 'unknown' }

async function ask(
  ctx: Context,
  supplier: Supplier,
  row: ActivationRow,
  wanted: { offer: PricedOffer; excludedPrefixes: readonly string[] },
): Promise<Attempt> {
  const { offer, excludedPrefixes } = wanted
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
    if (answer.costMicros > offer.costMicros) throw new Error('the supplier charged more than it was allowed to')
    if (excludedPrefixes.some((prefix) => answer.phone.startsWith(prefix))) return { result: 'unwanted' }
    return await settle(ctx, supplier, row, answer)
  } catch (error) {
    ctx.metrics.supplierCalls.inc({ supplier: supplier.code, call: 'buy', result: 'unknown' })
    ctx.log.warn({ error, supplier: supplier.code, reference: order.reference }, 'a purchase has an unknown outcome')
    return { result: 'unknown' }
  }
}

/** A number that is in use, burnt, or not a phone number at all is not given to the buyer: the attempt is undone later. */
export async function settle(
  ctx: Context,
  supplier: Supplier,
  row: ActivationRow,
  number: BoughtNumber,
): Promise<Attempt> {
  if (!PHONE_PATTERN.test(number.phone)) throw new Error('the supplier sold something that is not a phone number')
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
  if (settled !== null) return { result: 'settled', row: settled }
  ctx.log.warn({ supplier: supplier.code, reference: referenceOf(row) }, 'a number was sold that is in use or burnt')
  return { result: 'unknown' }
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
