import { toDecimal } from '#contract/money.ts'
import { SECOND } from '#contract/time.ts'
import { askSupplier, isOurFault } from '#server/core/catalog/health/ask-supplier.ts'
import { enterPurchase, notePurchase, type PurchaseResult } from '#server/core/catalog/standing/note-purchase.ts'
import { countUnwanted } from '#server/core/numbers/limits/pause-pairs.ts'
import { maskPhone } from '#server/core/numbers/listing/mask-phone.ts'
import { senderBookOf } from '#server/core/numbers/messages/sender-book.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import {
  type BoughtNumber,
  type PurchaseOrder,
  SUPPLIER_TIMEOUT_MS,
  type Supplier,
} from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import { inProgress } from '#server/house/errors/buying-errors.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { logDone } from '#server/house/trace.ts'
import type { OrderKind, OrderRow, SourcedOffer } from './order-kind.ts'
import { isNotForSale } from './queries/not-for-sale.ts'

/** The time limit of all attempts together, in ms. The last attempt gets the time that is left. */
export const ALL_ATTEMPTS_MS = 20 * SECOND
const MAX_ATTEMPTS = 4
/** The minimum time for an attempt, in ms. With less time left no further supplier is tried. */
const SHORTEST_ATTEMPT_MS = SECOND
/** The time in ms that a supplier must have had for a reply, before a missing reply counts as the supplier's fault. */
const FAIR_MS = SUPPLIER_TIMEOUT_MS / 2
const MAX_WHY = 200
const PHONE_PATTERN = /^\d{5,15}$/

/**
 * The outcome of settling a number. `unwanted`: the buyer excluded the number. `unknown`: no usable reply or number.
 * `excused`: the supplier could not know that the number is not for this buyer.
 */
export type Settlement<Row> =
  | { result: 'settled'; row: Row }
  | { result: 'unwanted' }
  | { result: 'unknown'; why: string; excused?: true }

/**
 * Tries the candidates in turn until one supplier gives a number. Returns null, with the money released, if all
 * suppliers refuse. If an attempt has an unknown outcome, a job gives back any number that it bought. `repeatOf` is the
 * only number that may be bought. Throws IN_PROGRESS, with the money held, if another node has taken over the order.
 */
export async function sourceNumber<Row extends OrderRow>(
  ctx: Context,
  kind: OrderKind<Row>,
  wanted: { reserved: Row; candidates: readonly SourcedOffer[]; repeatOf?: string | undefined },
): Promise<Row | null> {
  const { candidates, repeatOf } = wanted
  const deadline = performance.now() + ALL_ATTEMPTS_MS
  const passedOver = new Set<number>()
  let row = wanted.reserved
  let abandon = false
  let asked = 0
  for (const offer of candidates) {
    if (asked === MAX_ATTEMPTS || deadline - performance.now() < SHORTEST_ATTEMPT_MS) break
    const supplier = suppliersOf(ctx).get(offer.supplierId)
    if (supplier === undefined || passedOver.has(offer.supplierId)) continue
    // The reservation already names the first candidate. That supplier may have been switched off meanwhile.
    if (offer !== candidates[0]) {
      const cost = { costLimitMicros: offer.costMicros, costCurrency: offer.currency }
      const { id, attempt } = row
      const { id: nodeId } = nodeOf(ctx)
      const next = { id, attempt, supplierId: supplier.id, ...cost, abandon, nodeId, now: ctx.clock.now() }
      const moved = await kind.nextAttempt(ctx.db, next)
      if (moved === null) return leaveToOther(ctx, kind, row)
      row = moved
    }
    asked += 1
    const limitMs = Math.min(SUPPLIER_TIMEOUT_MS, deadline - performance.now())
    const outcome = await attemptPurchase(ctx, kind, { supplier, row, offer, repeatOf, limitMs })
    if (outcome.result === 'settled') return outcome.row
    abandon = outcome.result !== 'refused'
    if (outcome.result === 'unknown') passedOver.add(supplier.id)
  }
  const failed = await kind.fail(ctx.db, { id: row.id, nodeId: nodeOf(ctx).id, now: ctx.clock.now(), abandon })
  return failed === null ? leaveToOther(ctx, kind, row) : null
}

/**
 * Finds the order that somebody else settled, or that our own statement settled before its reply was lost. Returns null
 * if the order failed. Gives no number back: another node asks the supplier for it, and may sell it.
 */
async function leaveToOther<Row extends OrderRow>(
  ctx: Context,
  kind: OrderKind<Row>,
  { id }: Row,
): Promise<Row | null> {
  const found = await kind.findAny(ctx.db, id)
  if (found?.state === 'reserving') throw inProgress()
  return found !== null && kind.isSettled(found) ? found : null
}

/** Buys a number from one supplier. Never throws: without a usable reply the outcome is `unknown`. */
async function attemptPurchase<Row extends OrderRow>(
  ctx: Context,
  kind: OrderKind<Row>,
  attempt: { supplier: Supplier; row: Row; offer: SourcedOffer; repeatOf: string | undefined; limitMs: number },
): Promise<Settlement<Row> | { result: 'refused' }> {
  const { supplier, row } = attempt
  const { call } = kind
  const seller = kind.sellerOf(supplier)
  // A supplier that is down is skipped; its offers disappear within moments.
  if (seller === undefined || supplier.link?.().up === false) return { result: 'refused' }
  const pass = await enterPurchase(ctx, supplier.id, row.user_id)
  if (pass === null) return { result: 'refused' }
  const order = orderOf(kind, attempt)
  let result: PurchaseResult = 'excused'
  let why = ''
  let reply: 'bought' | 'refused' | 'unknown' = 'unknown'
  try {
    const ask = (signal: AbortSignal) => seller.sell(order, row, signal)
    const answer = await askSupplier(ctx, { supplier, call, limitMs: attempt.limitMs }, ask).catch((error: unknown) => {
      result = isOurFault(ctx, error) || attempt.limitMs < FAIR_MS ? 'excused' : 'failed'
      why = error instanceof Error ? error.message : String(error)
      throw error
    })
    reply = answer.outcome
    result = answer.outcome
    if (answer.outcome === 'refused') {
      // If our balance at the supplier is used up, the supplier sells to none of our buyers.
      if (answer.reason === 'no-funds') [result, why] = ['failed', 'our balance there is used up']
      return { result: 'refused' }
    }
    const settled = await settleNumber(ctx, kind, { supplier, row, number: answer })
    if (settled.result === 'unwanted') {
      const pair = { userId: row.user_id, serviceCode: row.service_code, countryId: row.country_id }
      ctx.background.run('count an unwanted number', () => countUnwanted(ctx, pair))
    }
    // A number that the buyer excluded counts as a refusal. A number that cannot be sold to the buyer counts as no
    // reply.
    if (settled.result === 'unwanted') result = 'refused'
    if (settled.result === 'unknown' && settled.excused !== true)
      [result, why] = ['failed', `a number that is not taken: ${settled.why}`]
    return settled
  } catch (error) {
    const { reference } = order
    ctx.log.warn({ error, supplier: supplier.code, call, reference }, 'a purchase has an unknown outcome')
    return { result: 'unknown', why }
  } finally {
    ctx.metrics.supplierCalls.inc({ supplier: supplier.code, call, result: reply })
    notePurchase(ctx, supplier.id, { pass, result, why: why.slice(0, MAX_WHY) })
  }
}

function orderOf<Row extends OrderRow>(
  kind: OrderKind<Row>,
  { row, offer, repeatOf }: { row: Row; offer: SourcedOffer; repeatOf: string | undefined },
): PurchaseOrder {
  return {
    reference: kind.referenceOf(row),
    buyerId: row.user_id,
    ...(row.excluded_prefixes !== undefined && { excludedPrefixes: row.excluded_prefixes }),
    serviceCode: row.service_code,
    countryId: row.country_id,
    operator: offer.operator,
    maxCostMicros: offer.costMicros,
    currency: offer.currency,
    expiresAt: row.expires_at,
    ...(repeatOf !== undefined && { repeatOf }),
  }
}

/**
 * Gives a sold number to the buyer of `row`. Changes nothing if the buyer excluded the number, or if it is malformed,
 * too expensive or must not be sold to the buyer (`kind.settle`).
 */
export async function settleNumber<Row extends OrderRow>(
  ctx: Context,
  kind: OrderKind<Row>,
  { supplier, row, number }: { supplier: Supplier; row: Row; number: BoughtNumber },
): Promise<Settlement<Row>> {
  const refuse = (why: string) => {
    const reference = kind.referenceOf(row)
    ctx.log.warn({ supplier: supplier.code, reference, why }, 'a number that was sold is not taken')
    return { result: 'unknown' as const, why }
  }
  if (row.excluded_prefixes?.some((prefix) => number.phone.startsWith(prefix))) return { result: 'unwanted' }
  if (!PHONE_PATTERN.test(number.phone)) return refuse('it is not a phone number')
  if (number.costMicros > (row.cost_limit_micros ?? 0n)) return refuse('it costs more than was allowed')
  const { id, attempt, service_code: serviceCode } = row
  const family = senderBookOf(ctx).familyOf(serviceCode)
  const sendersKnown = senderBookOf(ctx).sendersKnown(serviceCode)
  const sold = { ...number, id, attempt, family, sendersKnown, nodeId: nodeOf(ctx).id, now: ctx.clock.now() }
  const settled = await kind.settle(ctx.db, sold, row).catch((error: unknown) => {
    if (isUniqueViolation(error, kind.usedOnce)) return null
    throw error
  })
  if (settled === null) {
    const refusal = refuse('it is in use or in quarantine, burnt, or not the one wanted')
    // The supplier is excused, because a buyer who returns numbers could otherwise get a whole supplier paused.
    return (await isNotForSale(ctx.db, { phone: number.phone, serviceCode })) ? refusal : { ...refusal, excused: true }
  }
  logSale(ctx, settled, { ...number, kind: kind.name, supplier: supplier.code })
  return { result: 'settled', row: settled }
}

/** Logs a sale, with the number masked. */
export function logSale(
  ctx: Context,
  row: OrderRow,
  sold: { kind: string; supplier: string; operator: string; costMicros: bigint },
): void {
  const { id, user_id: userId, service_code: service, country_id: countryId, price_micros, currency, phone } = row
  const { kind, supplier, operator, costMicros } = sold
  const price = toDecimal(price_micros)
  const fields = { order: `${kind}:${id}`, userId, service, countryId, operator, supplier, price, currency }
  logDone(ctx, { ...fields, cost: toDecimal(costMicros), phone: maskPhone(phone ?? '') }, 'a number was sold')
}
