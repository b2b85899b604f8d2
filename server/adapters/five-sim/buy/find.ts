import { CLOCKS_APART_MS, findByLook, findPurchase, UNDER_WAY_THERE_MS } from '#server/adapters/shared/resold/find.ts'
import type { ResoldOrder } from '#server/adapters/shared/resold/queries/orders.ts'
import { MOST_LOOK_BYTES } from '#server/adapters/shared/resold/wire/get-outside.ts'
import type { BoughtNumber, UnknownReference } from '#server/core/suppliers/supplier.ts'
import { type FiveSimOrder, isOver } from '../wire/read-order.ts'
import { type Account, listOrders, PAGE } from './account.ts'

const MAX_PAGES = 20

export async function findNumber(account: Account, reference: string): Promise<BoughtNumber | UnknownReference> {
  return findPurchase(account, reference, (order) => findByLook(account, order, () => listFitting(account, order)))
}

/** Lists the account's orders with the product, country, operator and time of our request, oldest first. */
async function listFitting(account: Account, order: ResoldOrder): Promise<FiveSimOrder[]> {
  const fitting: FiveSimOrder[] = []
  let left = MOST_LOOK_BYTES
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { orders, rows, bytes } = await listOrders(account, page, { left })
    left -= bytes
    fitting.push(...orders.filter((each) => fits(order, each)))
    if (rows < PAGE || orders.some((each) => isEarlier(order, each))) return byAge(fitting)
  }
  throw new Error(`${order.reference} lies too far back`)
}

/** Sorts orders oldest first and drops duplicates, which occur if a newer order moves an order to the next page. */
function byAge(orders: readonly FiveSimOrder[]): FiveSimOrder[] {
  return [...new Map(orders.map((order) => [order.activationId, order])).values()].toReversed()
}

function fits(asked: ResoldOrder, order: FiveSimOrder): boolean {
  const { product, country, operator, madeAt } = order
  if (product !== asked.service || country !== asked.country || madeAt === null || isOver(order)) return false
  if (asked.operator !== null && operator !== asked.operator) return false
  const apart = madeAt.getTime() - asked.askedAt.getTime()
  return apart > -CLOCKS_APART_MS && apart < CLOCKS_APART_MS + UNDER_WAY_THERE_MS
}

function isEarlier({ askedAt }: ResoldOrder, { madeAt }: FiveSimOrder): boolean {
  return madeAt !== null && madeAt.getTime() < askedAt.getTime() - CLOCKS_APART_MS
}
