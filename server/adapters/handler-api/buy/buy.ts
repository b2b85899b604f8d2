import { toDecimal } from '#contract/money.ts'
import { isPairLost } from '#server/adapters/shared/resold/account.ts'
import { adoptAnswer, buyOnce, type Refusal } from '#server/adapters/shared/resold/buy.ts'
import { findActivationOf } from '#server/adapters/shared/resold/queries/orders.ts'
import { readAmount } from '#server/adapters/shared/resold/wire/amounts.ts'
import type { BoughtNumber, PurchaseOrder, RefusedPurchase } from '#server/core/suppliers/supplier.ts'
import { isPrefix } from '#server/core/suppliers/supplier.ts'
import type { Question } from '../wire/ask.ts'
import { readNumber } from '../wire/read-number.ts'
import { type Account, orderNameOf } from './account.ts'
import { readRefusal } from './refusal.ts'

export async function buyNumber(
  account: Account,
  order: PurchaseOrder,
  signal: AbortSignal,
): Promise<BoughtNumber | RefusedPurchase> {
  const { names, dialect } = account
  const pair = {
    service: names.theirs('service', order.serviceCode),
    country: names.theirs('country', String(order.countryId)),
  }
  const question = await questionOf(account, order, pair)
  if (question === null) return { outcome: 'refused', reason: 'no-numbers' }
  const wisher = `buyer ${order.buyerId}`
  return buyOnce(account, {
    order,
    wanted: { ...pair, operator: null },
    isBlocked: () => dialect.orderId !== 'lookup' && dialect.list !== null && isPairLost(account, pair),
    ask: (askedAt) => ask(account, { order, askedAt, question: { ...question, signal, wisher } }),
  })
}

/** Sends the purchase to the supplier. Throws when it is unknown whether a number was bought. */
async function ask(
  account: Account,
  { order, askedAt, question }: { order: PurchaseOrder; askedAt: Date; question: Question },
): Promise<BoughtNumber | Refusal> {
  const { reference } = order
  const reply = await account.ask(question)
  const number = readNumber(reply)
  if (number === null) return readRefusal(account, order, reply)
  const costMicros = number.costMicros ?? readAmount(reply.price) ?? order.maxCostMicros
  return adoptAnswer(account, { reference, askedAt, costMicros, operator: null }, number)
}

/** Makes the purchase request. Returns null if the number to buy again was never bought from this supplier. */
async function questionOf(
  account: Account,
  order: PurchaseOrder,
  pair: { service: string; country: string },
): Promise<{ action: string; parameters: Record<string, string> } | null> {
  const { ctx, supplierId, dialect } = account
  if (order.repeatOf !== undefined) {
    if (dialect.repeat === null) return null
    const wanted = { supplierId, phone: order.repeatOf, service: pair.service }
    const activationId = await findActivationOf(ctx.db, wanted)
    return activationId === null ? null : { action: dialect.repeat, parameters: { activationId } }
  }
  const prefixes = dialect.exceptions ? (order.excludedPrefixes ?? []).filter(isPrefix) : []
  return {
    action: dialect.buy,
    parameters: {
      ...pair,
      [dialect.ceiling]: toDecimal(order.maxCostMicros),
      ...(prefixes.length > 0 && { phoneException: prefixes.join(',') }),
      ...(dialect.orderId !== 'none' && { orderId: orderNameOf(account, order.reference) }),
    },
  }
}
