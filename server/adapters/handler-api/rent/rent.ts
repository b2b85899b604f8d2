import { SECOND } from '#contract/time.ts'
import { refuseOtherCurrency } from '#server/adapters/shared/resold/buy.ts'
import { Unsent } from '#server/adapters/shared/resold/wire/throttle.ts'
import type { BoughtNumber, RefusedPurchase, RentOrder, UnknownReference } from '#server/core/suppliers/supplier.ts'
import { orderNameOf } from '../buy/account.ts'
import { readRefusal } from '../buy/refusal.ts'
import type { Answered } from '../wire/ask.ts'
import { type RentedNumber, readRented } from '../wire/read-rent.ts'
import { findRent, type ResoldRent, resoldRents } from './queries.ts'
import { keepRented, type Rents, type WantedRent } from './rents.ts'

const NONE: UnknownReference = { outcome: 'none' }
const NOTHING = { service: '', country: '', costMicros: 0n, strangers: [] }
/** The largest clock skew between the supplier and us that is tolerated. */
export const CLOCKS_APART_MS = 90 * SECOND

/** Rents a number. A row is inserted first, so that nothing is requested twice. Throws when the outcome is unknown. */
export async function rentNumber(
  rents: Rents,
  order: RentOrder,
  signal: AbortSignal,
): Promise<BoughtNumber | RefusedPurchase> {
  const { account, asking, way } = rents
  const { ctx, supplierId, names } = account
  const { reference, expiresAt } = order
  const service = names.theirs('service', order.serviceCode)
  const country = names.theirs('country', String(order.countryId))
  asking.add(reference)
  try {
    return await way.inQueue(wisherOf(order), () => askOnce(rents, { order, service, country }, signal))
  } catch (error) {
    if (!(error instanceof Unsent)) throw error
    const now = ctx.clock.now()
    const row = { supplierId, reference, ...NOTHING, expiresAt, now }
    if (!(await resoldRents.insert(ctx.db, { ...row, state: 'refused' })))
      throw new Error(`${reference} was asked for before`)
    return { outcome: 'refused', reason: 'rejected', detail: error.message }
  } finally {
    asking.delete(reference)
  }
}

export const wisherOf = ({ buyerId }: RentOrder): string => `buyer ${buyerId}`

/** Requests a rental from the supplier once. Throws Unsent if no request was sent. */
async function askOnce(rents: Rents, wanted: WantedRent, signal: AbortSignal): Promise<BoughtNumber | RefusedPurchase> {
  const { account, way } = rents
  const { ctx, supplierId } = account
  const { order, service, country } = wanted
  const { reference, expiresAt } = order
  const key = { supplierId, reference }
  signal.throwIfAborted()
  if ((await findRent(ctx.db, key)) !== null) throw new Error(`${reference} was asked for before`)
  const ready = refuseOtherCurrency(account, order) ?? (await way.readyRent(rents, wanted, signal))
  const row = { ...key, service, country, expiresAt, now: ctx.clock.now() }
  if ('reason' in ready) {
    await resoldRents.insert(ctx.db, { ...row, ...NOTHING, state: 'refused' })
    return { outcome: 'refused', ...ready }
  }
  const isNew = await resoldRents.insert(ctx.db, { ...row, ...ready, state: 'asking' })
  if (!isNew) throw new Error(`${reference} was asked for before`)
  const reply = await ask(rents, wanted, signal)
  const rented = reply instanceof Unsent ? null : readRented(reply)
  if (rented !== null) return adoptAnswer(rents, { reference, costMicros: ready.costMicros, expiresAt }, rented)
  const refusal =
    reply instanceof Unsent
      ? ({ reason: 'rejected', detail: reply.message } as const)
      : readRefusal(account, order, reply)
  await resoldRents.markUnsold(ctx.db, { ...key, state: 'refused' })
  return { outcome: 'refused', ...refusal }
}

async function ask(
  { account, way }: Rents,
  { order, service, country }: WantedRent,
  signal: AbortSignal,
): Promise<Answered | Unsent> {
  const name = orderNameOf(account, order.reference)
  const parameters = {
    service,
    country,
    rent_time: String(order.hours),
    ...way.parametersOf({ name, maxCostMicros: order.maxCostMicros }),
  }
  const wisher = wisherOf(order)
  return account.ask({ action: 'getRentNumber', parameters, signal, wisher }).catch((error: unknown) => {
    if (error instanceof Unsent) return error
    throw error
  })
}

type Asked = Pick<ResoldRent, 'reference' | 'costMicros' | 'expiresAt'>

/**
 * Assigns the rental of a supplier's answer to its order. Throws if the rental has another order. Throws, too, if another
 * node gave the order up; then a job gives the rental back.
 */
async function adoptAnswer(rents: Rents, order: Asked, rented: RentedNumber): Promise<BoughtNumber> {
  const bought = await open(rents, order, rented)
  if (bought !== null) return bought
  const { ctx, supplierId, code } = rents.account
  const { reference } = order
  const { rentId, phone, costMicros } = rented
  const late = { supplierId, reference, theirId: rentId, phone, costMicros: costMicros ?? order.costMicros }
  if (!(await resoldRents.giveBack(ctx.db, late))) throw notFree(reference, rented)
  ctx.log.warn({ supplier: code, reference, rentId }, 'a rental came after its order was given up: it goes back')
  throw new Error(`${reference} was given up before its answer came`)
}

/** Assigns a rental that was searched for to its order. Gives no rental back, because a found one may be a stranger's. */
async function adopt(rents: Rents, order: Asked, rented: RentedNumber): Promise<BoughtNumber> {
  const bought = await open(rents, order, rented)
  if (bought === null) throw notFree(order.reference, rented)
  return bought
}

function notFree(reference: string, { rentId }: RentedNumber): Error {
  return new Error(`rental ${rentId} is not free for ${reference}`)
}

async function open(rents: Rents, order: Asked, rented: RentedNumber): Promise<BoughtNumber | null> {
  const { ctx, supplierId, settings } = rents.account
  const { reference, expiresAt } = order
  const { rentId, phone } = rented
  const costMicros = rented.costMicros ?? order.costMicros
  const sold = { supplierId, reference, theirId: rentId, phone, costMicros, expiresAt }
  if (!(await resoldRents.markOpen(ctx.db, sold))) return null
  keepRented(rents, { reference, rentId, phone, expiresAt })
  return { outcome: 'bought', supplierReference: rentId, phone, operator: settings.operator, costMicros }
}

/** Finds out whether an order rented a number, without renting. Throws while the outcome is unknown. */
export async function findRental(rents: Rents, reference: string): Promise<BoughtNumber | UnknownReference> {
  const { account, asking, way } = rents
  const { ctx, supplierId, settings } = account
  const key = { supplierId, reference }
  if (asking.has(reference)) throw new Error(`${reference} is being asked for`)
  // A reference that was never requested is stored as `none`, so that no later call can use the reference.
  const now = ctx.clock.now()
  await resoldRents.insert(ctx.db, { ...key, ...NOTHING, expiresAt: now, state: 'none', now })
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
    case 'asking': {
      const rented = await way.findRented(rents, row)
      if (rented !== null) return adopt(rents, row, rented)
      if (await resoldRents.markUnsold(ctx.db, { ...key, state: 'none' })) return NONE
      throw new Error(`${reference} has moved on`)
    }
    default:
      return state satisfies never
  }
}
