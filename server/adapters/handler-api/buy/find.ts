import { MINUTE, SECOND } from '#contract/time.ts'
import { adopt } from '#server/adapters/shared/resold/buy.ts'
import {
  ageOf,
  CLOCKS_APART_MS,
  findByLook,
  findPurchase,
  UNDER_WAY_THERE_MS,
  unsold,
} from '#server/adapters/shared/resold/find.ts'
import type { ResoldOrder } from '#server/adapters/shared/resold/queries/orders.ts'
import { isRecord, readTime } from '#server/adapters/shared/resold/wire/json-fields.ts'
import type { BoughtNumber, UnknownReference } from '#server/core/suppliers/supplier.ts'
import type { ActiveItem } from '../wire/read-active.ts'
import { readNumberFields } from '../wire/read-number.ts'
import { type Account, lookAtActive, orderNameOf } from './account.ts'

/** The time for which a purchase request may still be in flight to the supplier. */
const ON_ITS_WAY_MS = 5 * SECOND
const HOUR_MS = 60 * MINUTE

export async function findNumber(account: Account, reference: string): Promise<BoughtNumber | UnknownReference> {
  const find = account.dialect.orderId === 'lookup' ? findByName : findInList
  return findPurchase(account, reference, (order) => find(account, order))
}

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
      // The order is older than our request: our restored database reused its name, so nothing was bought.
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

/** Finds an activation made during our request, of its service and country, that belongs to no order of ours. */
async function findInList(account: Account, order: ResoldOrder): Promise<BoughtNumber | UnknownReference> {
  const { reference, service, country } = order
  if (account.dialect.list !== null) {
    return findByLook(account, order, async () => (await lookAtActive(account)).filter((item) => fits(order, item)))
  }
  if (ageOf(account, order) < UNDER_WAY_THERE_MS) throw new Error(`${reference} cannot be looked for`)
  const fields = { supplier: account.code, reference, service, country }
  account.ctx.log.error(fields, 'a purchase may have been made: this supplier shows nobody what is open')
  return unsold(account, order)
}

function fits(order: ResoldOrder, { service, country, madeAt }: ActiveItem): boolean {
  if (service !== order.service || country !== order.country || madeAt === null) return false
  const apart = madeAt.at.getTime() - order.askedAt.getTime()
  // A time without a zone may be wrong by whole hours. Whole hours are ignored, because no activation is an hour old.
  const off = madeAt.zoned ? apart : apart - Math.round(apart / HOUR_MS) * HOUR_MS
  return off > -CLOCKS_APART_MS && off < CLOCKS_APART_MS + UNDER_WAY_THERE_MS
}
