import { toDecimal } from '#contract/money.ts'
import { isPairLost } from '#server/adapters/shared/resold/account.ts'
import { adoptAnswer, buyOnce, noteNoFunds, type Refusal, type Wanted } from '#server/adapters/shared/resold/buy.ts'
import { findActivationOf } from '#server/adapters/shared/resold/queries/orders.ts'
import type { BoughtNumber, PurchaseOrder, RefusedPurchase } from '#server/core/suppliers/supplier.ts'
import type { Answered, Question } from '../wire/ask.ts'
import { type FiveSimOrder, isOver, readOrder } from '../wire/read-order.ts'
import { type Meaning, meaningOf, nameOf } from '../wire/words.ts'
import type { Account } from './account.ts'
import { endNumber } from './end.ts'

const ANY = 'any'

export async function buyNumber(
  account: Account,
  order: PurchaseOrder,
  signal: AbortSignal,
): Promise<BoughtNumber | RefusedPurchase> {
  const { names, settings } = account
  const isChosen = order.operator !== null && order.operator !== settings.operator && order.repeatOf === undefined
  const wanted: Wanted = {
    service: names.theirs('service', order.serviceCode),
    country: names.theirs('country', String(order.countryId)),
    operator: isChosen ? order.operator : null,
  }
  const question = await questionOf(account, order, wanted)
  if (question === null) return { outcome: 'refused', reason: 'no-numbers' }
  return buyOnce(account, {
    order,
    wanted,
    isBlocked: () => isPairLost(account, wanted),
    ask: async (askedAt) => {
      const answered = await account.ask({ ...question, signal, wisher: `buyer ${order.buyerId}` })
      const sold = readOrder(answered.json)
      if (sold === null) return readRefusal(account, order, answered)
      return takeSold(account, { order, wanted, askedAt, sold, signal })
    },
  })
}

/** Makes the purchase request. Returns null if the number to buy again was never bought from this supplier. */
async function questionOf(
  { ctx, supplierId, settings }: Account,
  order: PurchaseOrder,
  { service, country, operator }: Wanted,
): Promise<Question | null> {
  if (order.repeatOf !== undefined) {
    const earlier = await findActivationOf(ctx.db, { supplierId, phone: order.repeatOf, service })
    return earlier === null ? null : { path: ['user', 'reuse', service, order.repeatOf] }
  }
  return {
    path: ['user', 'buy', 'activation', country, operator ?? ANY, service],
    // 5sim obeys a maximum price only if it chooses the mobile operator itself.
    query: {
      ...(operator === null && { maxPrice: toDecimal(order.maxCostMicros) }),
      ...(settings.reuse && { reuse: '1' }),
    },
  }
}

type Sale = { order: PurchaseOrder; wanted: Wanted; askedAt: Date; sold: FiveSimOrder; signal: AbortSignal }

/** Reads the bought number. Throws for another product or country than ordered, so that the order is searched for. */
async function takeSold(
  account: Account,
  { order, wanted, askedAt, sold, signal }: Sale,
): Promise<BoughtNumber | Refusal> {
  const { reference, maxCostMicros } = order
  const { activationId, product, country } = sold
  if (product !== wanted.service || country !== wanted.country || isOver(sold)) {
    throw new Error(`${reference} was answered with order ${activationId}, which was not asked for`)
  }
  const costMicros = sold.costMicros ?? maxCostMicros
  const bought = await adoptAnswer(account, { reference, askedAt, costMicros, operator: wanted.operator }, sold)
  if (costMicros <= maxCostMicros) return bought
  await endNumber(account, { reference, phone: sold.phone, ...heldOf(activationId, order) }, 'unsold', signal)
  return { reason: 'no-numbers', detail: 'its price had risen' }
}

const heldOf = (supplierReference: string, { serviceCode }: PurchaseOrder) => ({ supplierReference, serviceCode })

const REASONS: Partial<Record<Meaning, RefusedPurchase['reason']>> = {
  'no-numbers': 'no-numbers',
  'no-funds': 'no-funds',
  'no-rating': 'rejected',
  rejected: 'rejected',
  limited: 'rejected',
  'bad-key': 'rejected',
}

/** Returns the reason of a refusal. Throws if the reply does not tell whether a number was bought. */
function readRefusal(account: Account, order: PurchaseOrder, answered: Answered): Refusal {
  const meaning = meaningOf(answered)
  const reason = meaning === null ? undefined : REASONS[meaning]
  if (meaning === null || reason === undefined) throw new Error(`a purchase was answered with ${nameOf(answered)}`)
  account.link.note('key', meaning !== 'bad-key')
  if (meaning === 'no-funds') noteNoFunds(account, order)
  if (meaning === 'no-rating') {
    const { ctx, code } = account
    ctx.log.error({ supplier: code, reference: order.reference }, 'the rating at a supplier is too low for a purchase')
    // A low rating blocks purchases of any price, so no price is low enough.
    account.funds.refused(0n)
  }
  return { reason, detail: nameOf(answered) }
}
