import type { BoughtNumber, PurchaseOrder, RefusedPurchase } from '#server/core/suppliers/supplier.ts'
import { pairOf, type ResoldAccount } from './account.ts'
import { keepOpen } from './open-numbers.ts'
import { type ResoldOrder, resoldOrders } from './queries/orders.ts'
import type { SoldNumber } from './sold-number.ts'
import { Unsent } from './wire/throttle.ts'

/** The wanted number in the supplier's codes. A null `operator` means any mobile operator. */
export type Wanted = { service: string; country: string; operator: string | null }
export type Refusal = Omit<RefusedPurchase, 'outcome'>

type Asking = {
  order: PurchaseOrder
  wanted: Wanted
  isBlocked: () => boolean
  /** Sends the request. Throws Unsent if no request was sent. Any other error leaves the outcome unknown. */
  ask: (askedAt: Date) => Promise<BoughtNumber | Refusal>
}

/**
 * Buys a number once. The order is stored first, so that a lost reply can be searched for. Throws if it is unknown
 * whether a number was bought.
 */
export async function buyOnce(
  account: ResoldAccount,
  { order, wanted, isBlocked, ask }: Asking,
): Promise<BoughtNumber | RefusedPurchase> {
  const { ctx, supplierId, asking } = account
  const { reference } = order
  const askedAt = ctx.clock.now()
  asking.add(reference)
  try {
    const row = {
      supplierId,
      reference,
      state: 'asking',
      ...wanted,
      costMicros: order.maxCostMicros,
      now: askedAt,
    } as const
    if (!(await resoldOrders.insert(ctx.db, row))) throw new Error(`${reference} was asked for before`)
    const refusal = refuseOtherCurrency(account, order)
    if (refusal !== null) return await refuse(account, reference, refusal)
    if (isBlocked()) {
      return await refuse(account, reference, { reason: 'rejected', detail: 'a lost order of this pair is looked for' })
    }
    const answer = await ask(askedAt).catch((error: unknown): Refusal => {
      if (error instanceof Unsent) return { reason: 'rejected', detail: error.message }
      // An order that already has its number is not lost.
      if (!account.open.has(reference)) account.lost.set(reference, pairOf(wanted))
      throw error
    })
    return 'outcome' in answer ? answer : await refuse(account, reference, answer)
  } finally {
    asking.delete(reference)
  }
}

/** Refuses an order in another currency than the settings, because its maximum price would be a different amount. */
export function refuseOtherCurrency(
  { settings }: Pick<ResoldAccount, 'settings'>,
  { currency }: Pick<PurchaseOrder, 'currency'>,
): Refusal | null {
  return currency === settings.currency
    ? null
    : { reason: 'rejected', detail: `priced in ${currency}, but paid in ${settings.currency}` }
}

async function refuse(
  { ctx, supplierId }: ResoldAccount,
  reference: string,
  refusal: Refusal,
): Promise<RefusedPurchase> {
  await resoldOrders.markUnsold(ctx.db, { supplierId, reference, state: 'refused' })
  return { outcome: 'refused', ...refusal }
}

type Bought = Pick<ResoldOrder, 'reference' | 'askedAt' | 'costMicros' | 'operator'>

/**
 * Assigns the activation of a supplier's answer to its order. Throws if the activation has another order. Throws, too, if
 * another node gave the order up; then a job gives the activation back.
 */
export async function adoptAnswer(account: ResoldAccount, order: Bought, number: SoldNumber): Promise<BoughtNumber> {
  const bought = await open(account, order, number)
  if (bought !== null) return bought
  const { ctx, supplierId, code } = account
  const { reference, costMicros } = order
  const { activationId, phone } = number
  const late = { supplierId, reference, theirId: activationId, phone, costMicros }
  if (!(await resoldOrders.giveBack(ctx.db, late))) throw notFree(reference, number)
  ctx.log.warn({ supplier: code, reference, activationId }, 'a number came after its order was given up: it goes back')
  throw new Error(`${reference} was given up before its answer came`)
}

/**
 * Assigns an activation that was searched for to its order. Throws if the activation has another order, or the order was
 * given up. Gives no activation back, because a found one may be a stranger's.
 */
export async function adopt(account: ResoldAccount, order: Bought, number: SoldNumber): Promise<BoughtNumber> {
  const bought = await open(account, order, number)
  if (bought === null) throw notFree(order.reference, number)
  return bought
}

function notFree(reference: string, { activationId }: SoldNumber): Error {
  return new Error(`activation ${activationId} is not free for ${reference}`)
}

async function open(account: ResoldAccount, order: Bought, number: SoldNumber): Promise<BoughtNumber | null> {
  const { ctx, supplierId } = account
  const { reference, askedAt, costMicros, operator } = order
  const { activationId, phone, lifetimeMs } = number
  const expiresAt = lifetimeMs === null ? null : new Date(askedAt.getTime() + lifetimeMs)
  const sold = { supplierId, reference, theirId: activationId, phone, costMicros, expiresAt }
  if (!(await resoldOrders.markOpen(ctx.db, sold))) return null
  account.lost.delete(reference)
  keepOpen(account, { reference, activationId, phone, expiresAt, rounds: 0, roundTaken: true })
  return {
    outcome: 'bought',
    supplierReference: activationId,
    phone,
    costMicros,
    operator: operator ?? account.settings.operator,
    ...(expiresAt !== null && { expiresAt }),
  }
}

export function noteNoFunds(
  account: ResoldAccount,
  { reference, maxCostMicros }: Pick<PurchaseOrder, 'reference' | 'maxCostMicros'>,
): void {
  const { ctx, code } = account
  ctx.log.error({ supplier: code, reference }, 'the balance at a supplier is too low for a purchase')
  account.funds.refused(maxCostMicros)
}
