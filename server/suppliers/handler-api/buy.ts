import { toDecimal } from '#contract/money.ts'
import type { BoughtNumber, PurchaseOrder, RefusedPurchase } from '#server/suppliers/supplier.ts'
import { isPairLost } from '../resold/account.ts'
import { adopt, buyOnce, noteNoFunds, type Refusal } from '../resold/buy.ts'
import { findActivationOf } from '../resold/queries/orders.ts'
import { readAmount } from '../resold/wire/amounts.ts'
import { type Account, orderNameOf } from './account.ts'
import type { Question } from './wire/ask.ts'
import { readNumber } from './wire/read-number.ts'
import type { Reply } from './wire/read-reply.ts'
import { type Meaning, meaningOf } from './words.ts'

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
  return buyOnce(account, {
    order,
    wanted: { ...pair, operator: null },
    isBlocked: () => dialect.orderId !== 'lookup' && dialect.list !== null && isPairLost(account, pair),
    ask: (askedAt) => ask(account, { order, askedAt, question: { ...question, signal } }),
  })
}

/** Throws when the outcome is unknown. */
async function ask(
  account: Account,
  { order, askedAt, question }: { order: PurchaseOrder; askedAt: Date; question: Question },
): Promise<BoughtNumber | Refusal> {
  const { reference } = order
  const reply = await account.ask(question)
  const number = readNumber(reply)
  if (number === null) return readRefusal(account, order, reply)
  const costMicros = number.costMicros ?? readAmount(reply.price) ?? order.maxCostMicros
  return adopt(account, { reference, askedAt, costMicros, operator: null }, number)
}

/** null: a repeat of what was never bought here. */
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
  const prefixes = order.excludedPrefixes ?? []
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

const REASONS: Partial<Record<Meaning, RefusedPurchase['reason']>> = {
  'no-numbers': 'no-numbers',
  'no-funds': 'no-funds',
  rejected: 'rejected',
  limited: 'rejected',
  'bad-key': 'rejected',
}

/** The call itself was refused. */
const TOO_MANY = 429

/** Throws on a word that says nothing about the outcome. */
function readRefusal(account: Account, order: PurchaseOrder, reply: Reply): Refusal {
  const meaning = reply.status === TOO_MANY ? 'limited' : meaningOf(reply.word)
  const reason = meaning === null ? undefined : REASONS[meaning]
  if (meaning === null || reason === undefined) {
    throw new Error(`a purchase was answered with ${reply.word ?? `status ${reply.status}`}`)
  }
  account.link.note('key', meaning !== 'bad-key')
  if (meaning === 'no-funds') noteNoFunds(account, order)
  return { reason, detail: reply.word ?? '' }
}
