import { toDecimal } from '#contract/money.ts'
import { SECOND } from '#contract/time.ts'
import { Unsent } from '#server/suppliers/resold/wire/gate.ts'
import type { BoughtNumber, RefusedPurchase, RentOrder, UnknownReference } from '#server/suppliers/supplier.ts'
import { orderNameOf } from '../account.ts'
import { readRefusal } from '../refusal.ts'
import type { Answered } from '../wire/ask.ts'
import { type RentedNumber, readRented, readRentOrder } from '../wire/read-rent.ts'
import { findRent, insertRent, markRentOpen, markUnrented, type ResoldRent } from './queries.ts'
import { keepRented, type Rents } from './rents.ts'

/** A request may still be on its way. */
const ON_ITS_WAY_MS = 5 * SECOND
/** Both clocks together. */
const CLOCKS_APART_MS = 90 * SECOND
const NONE: UnknownReference = { outcome: 'none' }

/** The row first, as with a purchase: nothing is asked for twice. Throws when the outcome is unknown. */
export async function rentNumber(
  rents: Rents,
  order: RentOrder,
  signal: AbortSignal,
): Promise<BoughtNumber | RefusedPurchase> {
  const { account, asking } = rents
  const { ctx, supplierId, names } = account
  const { reference } = order
  const service = names.theirs('service', order.serviceCode)
  const country = names.theirs('country', String(order.countryId))
  const key = { supplierId, reference }
  asking.add(reference)
  try {
    const row = { ...key, service, country, costMicros: order.maxCostMicros, expiresAt: order.expiresAt }
    const isNew = await insertRent(ctx.db, { ...row, state: 'asking', now: ctx.clock.now() })
    if (!isNew) throw new Error(`${reference} was asked for before`)
    const reply = await ask(rents, { order, service, country }, signal)
    const rented = reply instanceof Unsent ? null : readRented(reply)
    if (rented !== null) return await adopt(rents, { ...order, costMicros: order.maxCostMicros }, rented)
    const refusal =
      reply instanceof Unsent
        ? ({ reason: 'rejected', detail: reply.message } as const)
        : readRefusal(account, order, reply)
    await markUnrented(ctx.db, { ...key, state: 'refused' })
    return { outcome: 'refused', ...refusal }
  } finally {
    asking.delete(reference)
  }
}

async function ask(
  { account }: Rents,
  { order, service, country }: { order: RentOrder; service: string; country: string },
  signal: AbortSignal,
): Promise<Answered | Unsent> {
  const parameters = {
    ...{ service, country, rent_time: String(order.hours), maxPrice: toDecimal(order.maxCostMicros) },
    orderId: orderNameOf(account, order.reference),
  }
  const wisher = `buyer ${order.buyerId}`
  return account.ask({ action: 'getRentNumber', parameters, signal, wisher }).catch((error: unknown) => {
    if (error instanceof Unsent) return error
    throw error
  })
}

/** Throws when the number is another order's, or the order has been given up. */
async function adopt(
  rents: Rents,
  order: Pick<ResoldRent, 'reference' | 'costMicros' | 'expiresAt'>,
  rented: RentedNumber,
): Promise<BoughtNumber> {
  const { ctx, supplierId, settings } = rents.account
  const { reference, expiresAt } = order
  const { rentId, phone } = rented
  const costMicros = rented.costMicros ?? order.costMicros
  if (!(await markRentOpen(ctx.db, { supplierId, reference, rentId, phone, costMicros }))) {
    throw new Error(`rental ${rentId} is not free for ${reference}`)
  }
  keepRented(rents, { reference, state: 'open', costMicros, askedAt: ctx.clock.now(), rentId, phone, expiresAt })
  return { outcome: 'bought', supplierReference: rentId, phone, operator: settings.operator, costMicros }
}

/** Asks what became of an order; never rents. Throws while that is not known yet. */
export async function findRental(rents: Rents, reference: string): Promise<BoughtNumber | UnknownReference> {
  const { account, asking } = rents
  const { ctx, supplierId, settings } = account
  const key = { supplierId, reference }
  if (asking.has(reference)) throw new Error(`${reference} is being asked for`)
  // A reference that was never asked for: no later call may use it.
  const now = ctx.clock.now()
  await insertRent(ctx.db, { ...key, service: '', country: '', costMicros: 0n, expiresAt: now, state: 'none', now })
  const row = await findRent(ctx.db, key)
  if (row === null) throw new Error(`${reference} has no row`)
  const { state, rentId, phone, costMicros } = row
  switch (state) {
    case 'open':
    case 'ended':
      if (rentId === null || phone === null) throw new Error(`${reference} was rented without a number`)
      return { outcome: 'bought', supplierReference: rentId, phone, operator: settings.operator, costMicros }
    case 'refused':
    case 'none':
      return NONE
    case 'asking':
      return findByName(rents, row)
    default:
      return state satisfies never
  }
}

async function findByName(rents: Rents, row: ResoldRent): Promise<BoughtNumber | UnknownReference> {
  const { account } = rents
  const { ctx, supplierId } = account
  const { reference, askedAt } = row
  const reply = await account.ask({ action: 'getRentOrder', parameters: { orderId: orderNameOf(account, reference) } })
  const found = readRentOrder(reply)
  if (found === null) throw new Error(`nothing was told of ${reference}: ${reply.word ?? `status ${reply.status}`}`)
  if (found.order === 'pending') throw new Error(`${reference} is under way at the supplier`)
  if (found.order !== 'none') {
    const startedMs = found.startedAt?.getTime() ?? Number.POSITIVE_INFINITY
    // Of a database that was restored since: the name has been used before, so nothing was rented for this order.
    const isEarlier = startedMs < askedAt.getTime() - CLOCKS_APART_MS
    if (!isEarlier) return adopt(rents, row, found.rented)
  } else if (ctx.clock.now().getTime() - askedAt.getTime() < ON_ITS_WAY_MS) {
    throw new Error(`${reference} may still be on its way`)
  }
  if (!(await markUnrented(ctx.db, { supplierId, reference, state: 'none' }))) {
    throw new Error(`${reference} has moved on`)
  }
  return NONE
}
