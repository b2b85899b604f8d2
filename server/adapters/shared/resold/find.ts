import { MINUTE, SECOND } from '#contract/time.ts'
import type { BoughtNumber, UnknownReference } from '#server/core/suppliers/supplier.ts'
import type { ResoldAccount } from './account.ts'
import { adopt } from './buy.ts'
import { findOrder, listUnfinished, NOTHING_ASKED, type ResoldOrder, resoldOrders } from './queries/orders.ts'
import type { SoldNumber } from './sold-number.ts'

/** The longest time for which a supplier asks its own suppliers, while an order may still appear in its list. */
export const UNDER_WAY_THERE_MS = 45 * SECOND
/** The largest clock skew between the supplier and us that is tolerated. */
export const CLOCKS_APART_MS = 90 * SECOND
const HOUR_MS = 60 * MINUTE
const NONE: UnknownReference = { outcome: 'none' }

/** Finds out whether an order bought a number, without buying. Throws while the outcome is unknown. */
export async function findPurchase(
  account: ResoldAccount,
  reference: string,
  findAsked: (order: ResoldOrder) => Promise<BoughtNumber | UnknownReference>,
): Promise<BoughtNumber | UnknownReference> {
  const { ctx, supplierId } = account
  const key = { supplierId, reference }
  if (account.asking.has(reference)) throw new Error(`${reference} is being asked for`)
  const order = (await findOrder(ctx.db, key)) ?? (await refused(account, reference))
  if (order === null) throw new Error(`${reference} has no row`)
  switch (order.state) {
    case 'open':
    case 'ended':
      // The number was given back before any buyer saw it.
      return order.ending === 'unsold' ? NONE : boughtOf(account, order)
    case 'refused':
    case 'none':
      return NONE
    case 'asking':
      return findAsked(order)
    default:
      return order.state satisfies never
  }
}

async function refused({ ctx, supplierId }: ResoldAccount, reference: string): Promise<ResoldOrder | null> {
  const key = { supplierId, reference }
  // A reference that was never requested is stored as `none`, so that no later purchase can use it.
  await resoldOrders.insert(ctx.db, { ...key, ...NOTHING_ASKED, state: 'none', now: ctx.clock.now() })
  return findOrder(ctx.db, key)
}

function boughtOf({ settings }: ResoldAccount, order: ResoldOrder): BoughtNumber {
  const { activationId, phone, costMicros, expiresAt, operator } = order
  if (activationId === null || phone === null) throw new Error(`${order.reference} was sold without a number`)
  return {
    outcome: 'bought',
    supplierReference: activationId,
    phone,
    costMicros,
    operator: operator ?? settings.operator,
    ...(expiresAt !== null && { expiresAt }),
  }
}

export function ageOf({ ctx }: ResoldAccount, { askedAt }: ResoldOrder): number {
  return ctx.clock.now().getTime() - askedAt.getTime()
}

export async function unsold(account: ResoldAccount, { reference }: ResoldOrder): Promise<UnknownReference> {
  const { ctx, supplierId } = account
  if (!(await resoldOrders.markUnsold(ctx.db, { supplierId, reference, state: 'none' }))) {
    throw new Error(`${reference} has moved on`)
  }
  account.lost.delete(reference)
  return NONE
}

/**
 * Finds the activation that an order without a reply bought. `look` returns the supplier's activations that fit the
 * order, oldest first. Throws if they outnumber the orders without a reply, because one may belong to another customer
 * of the account.
 */
export async function findByLook(
  account: ResoldAccount,
  order: ResoldOrder,
  look: () => Promise<SoldNumber[]>,
): Promise<BoughtNumber | UnknownReference> {
  const { ctx, supplierId } = account
  const { reference } = order
  // The order's age is computed before the poll, because the poll shows the state at this time or later.
  const isOver = ageOf(account, order) >= UNDER_WAY_THERE_MS
  const fitting = await look()
  const theirIds = fitting.map(({ activationId }) => activationId)
  const known = await resoldOrders.listKnown(ctx.db, { supplierId, theirIds })
  const candidates = fitting.filter(({ activationId }) => !known.has(activationId))
  const [number] = candidates
  if (number !== undefined) {
    const lost = await countLost(account, order)
    if (candidates.length > lost) throw new Error(`${reference} may be any of ${candidates.length} activations`)
    return adopt(account, { ...order, costMicros: number.costMicros ?? order.costMicros }, number)
  }
  if (!isOver) throw new Error(`${reference} may still be under way`)
  return unsold(account, order)
}

/**
 * Counts the orders of this service and country without a reply, the given one included. Throws while a request of one
 * is in flight, because that order is not lost yet.
 */
async function countLost(account: ResoldAccount, order: ResoldOrder): Promise<number> {
  const { ctx, supplierId } = account
  const since = new Date(order.askedAt.getTime() - HOUR_MS)
  const same = (await listUnfinished(ctx.db, { supplierId, since })).filter(
    ({ state, service, country }) => state === 'asking' && service === order.service && country === order.country,
  )
  if (same.some(({ reference }) => account.asking.has(reference))) {
    throw new Error(`${order.reference} is looked for when no other is being asked for`)
  }
  return same.length
}
