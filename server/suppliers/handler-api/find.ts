import { MINUTE, SECOND } from '#contract/time.ts'
import type { BoughtNumber, UnknownReference } from '#server/suppliers/supplier.ts'
import { type Account, lookAtActive, orderNameOf } from './account.ts'
import { adopt } from './buy.ts'
import {
  findOrder,
  listKnown,
  listUnfinished,
  markUnsold,
  type ResoldOrder,
  refuseReference,
} from './queries/orders.ts'
import type { ActiveItem } from './wire/read-active.ts'
import { readNumberFields, readTime } from './wire/read-number.ts'
import { isRecord } from './wire/read-reply.ts'

/** A request may still be on its way. */
const ON_ITS_WAY_MS = 5 * SECOND
/** Where only looking helps: the other asks its own suppliers no longer than this. */
const UNDER_WAY_THERE_MS = 45 * SECOND
/** Both clocks together. */
const CLOCKS_APART_MS = 90 * SECOND
const HOUR_MS = 60 * MINUTE
const NONE: UnknownReference = { outcome: 'none' }

/** Asks what became of an order; never buys. Throws while that is not known yet. */
export async function findPurchase(account: Account, reference: string): Promise<BoughtNumber | UnknownReference> {
  const { ctx, supplierId } = account
  const key = { supplierId, reference }
  if (account.asking.has(reference)) throw new Error(`${reference} is being asked for`)
  const order = (await findOrder(ctx.db, key)) ?? (await refused(account, reference))
  if (order === null) throw new Error(`${reference} has no row`)
  switch (order.state) {
    case 'open':
    case 'ended':
      return boughtOf(account, order)
    case 'refused':
    case 'none':
      return NONE
    case 'asking':
      return account.dialect.orderId === 'lookup' ? findByName(account, order) : findByLook(account, order)
    default:
      return order.state satisfies never
  }
}

async function refused({ ctx, supplierId }: Account, reference: string): Promise<ResoldOrder | null> {
  await refuseReference(ctx.db, { supplierId, reference, now: ctx.clock.now() })
  return findOrder(ctx.db, { supplierId, reference })
}

function boughtOf({ settings }: Account, order: ResoldOrder): BoughtNumber {
  const { activationId, phone, costMicros, expiresAt } = order
  if (activationId === null || phone === null) throw new Error(`${order.reference} was sold without a number`)
  return {
    ...{ outcome: 'bought', supplierReference: activationId, phone, operator: settings.operator, costMicros },
    ...(expiresAt !== null && { expiresAt }),
  }
}

const ageOf = ({ ctx }: Account, { askedAt }: ResoldOrder) => ctx.clock.now().getTime() - askedAt.getTime()

async function unsold(account: Account, { reference }: ResoldOrder): Promise<UnknownReference> {
  const { ctx, supplierId } = account
  if (!(await markUnsold(ctx.db, { supplierId, reference, state: 'none' }))) {
    throw new Error(`${reference} has moved on`)
  }
  account.lost.delete(reference)
  return NONE
}

/** Our own service tells of an order by its name. */
async function findByName(account: Account, order: ResoldOrder): Promise<BoughtNumber | UnknownReference> {
  const { reference } = order
  const reply = await account.ask({ action: 'getOrder', parameters: { orderId: orderNameOf(account, reference) } })
  const answer = isRecord(reply.json) ? reply.json : {}
  switch (answer.order) {
    case 'none':
      if (ageOf(account, order) < ON_ITS_WAY_MS) throw new Error(`${reference} may still be on its way`)
      return unsold(account, order)
    case 'pending':
      throw new Error(`${reference} is under way at the supplier`)
    case 'open':
    case 'ended': {
      const number = readNumberFields(answer)
      if (number === null) throw new Error(`${reference} was found without a number`)
      // Of a database that was restored since: the name has been used before, so nothing was bought for this order.
      if (isEarlier(order, readTime(answer.activationTime)?.at)) return unsold(account, order)
      return adopt(account, { ...order, costMicros: number.costMicros ?? order.costMicros }, number)
    }
    default:
      throw new Error(`the supplier did not tell of ${reference}: ${reply.word ?? `status ${reply.status}`}`)
  }
}

function isEarlier({ askedAt }: ResoldOrder, madeAt: Date | undefined): boolean {
  return madeAt !== undefined && madeAt.getTime() < askedAt.getTime() - CLOCKS_APART_MS
}

/**
 * An activation that is nobody's, of that pair, made while we asked. More of them than lost orders: one may be
 * a stranger's, so none is taken.
 */
async function findByLook(account: Account, order: ResoldOrder): Promise<BoughtNumber | UnknownReference> {
  const { reference } = order
  const isOver = ageOf(account, order) >= UNDER_WAY_THERE_MS
  if (account.dialect.list === null) {
    if (!isOver) throw new Error(`${reference} cannot be looked for`)
    const fields = { supplier: account.code, reference, service: order.service, country: order.country }
    account.ctx.log.error(fields, 'a purchase may have been made: this supplier shows nobody what is open')
    return unsold(account, order)
  }
  const candidates = await listCandidates(account, order)
  const [number] = candidates
  if (number !== undefined) {
    const lost = await countLost(account, order)
    if (candidates.length > lost) throw new Error(`${reference} may be any of ${candidates.length} activations`)
    return adopt(account, { ...order, costMicros: number.costMicros ?? order.costMicros }, number)
  }
  if (!isOver) throw new Error(`${reference} may still be under way`)
  return unsold(account, order)
}

/** Oldest first. */
async function listCandidates(account: Account, order: ResoldOrder): Promise<ActiveItem[]> {
  const { ctx, supplierId } = account
  const items = await lookAtActive(account)
  const fitting = items.filter((item) => fits(order, item))
  const known = await listKnown(ctx.db, { supplierId, activationIds: fitting.map((item) => item.activationId) })
  return fitting.filter(({ activationId }) => !known.has(activationId))
}

function fits(order: ResoldOrder, { service, country, madeAt }: ActiveItem): boolean {
  if (service !== order.service || country !== order.country || madeAt === null) return false
  const apart = madeAt.at.getTime() - order.askedAt.getTime()
  // A time without a zone is off by whole hours. No activation is an hour old.
  const off = madeAt.zoned ? apart : apart - Math.round(apart / HOUR_MS) * HOUR_MS
  return off > -CLOCKS_APART_MS && off < CLOCKS_APART_MS + UNDER_WAY_THERE_MS
}

/** Orders of this pair without an answer, this one included. While one is being asked, its number is not lost. */
async function countLost(account: Account, order: ResoldOrder): Promise<number> {
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
