import { toDecimal } from '#contract/money.ts'
import type { BoughtNumber, PurchaseOrder, RefusedPurchase } from '#server/suppliers/supplier.ts'
import { isPrefix } from '#server/suppliers/supplier.ts'
import { type Account, isLookedFor, orderNameOf, pairOf } from './account.ts'
import { keepOpen } from './open-numbers.ts'
import { findActivationOf, insertAsking, markOpen, markUnsold, type ResoldOrder } from './queries/orders.ts'
import { readRefusal } from './refusal.ts'
import { readAmount } from './wire/amounts.ts'
import type { Question } from './wire/ask.ts'
import { Unsent } from './wire/gate.ts'
import { readNumber, type SoldNumber } from './wire/read-number.ts'

/** The row first: an answer that gets lost is looked for by what it holds. */
export async function buyNumber(
  account: Account,
  order: PurchaseOrder,
  signal: AbortSignal,
): Promise<BoughtNumber | RefusedPurchase> {
  const { ctx, supplierId, asking } = account
  const { reference } = order
  const pair = {
    service: account.names.theirs('service', order.serviceCode),
    country: account.names.theirs('country', String(order.countryId)),
  }
  const question = await questionOf(account, order, pair)
  if (question === null) return { outcome: 'refused', reason: 'no-numbers' }
  const askedAt = ctx.clock.now()
  const row = { supplierId, reference, ...pair, costMicros: order.maxCostMicros, now: askedAt }
  asking.add(reference)
  try {
    if (!(await insertAsking(ctx.db, row))) throw new Error(`${reference} was asked for before`)
    if (isLookedFor(account, pairOf(pair))) {
      return await refuse(account, reference, { reason: 'rejected', detail: 'a lost order of this pair is looked for' })
    }
    return await ask(account, {
      order,
      askedAt,
      question: { ...question, signal, wisher: `buyer ${order.buyerId}` },
    }).catch((error: unknown) => {
      account.lost.set(reference, pairOf(pair))
      throw error
    })
  } finally {
    asking.delete(reference)
  }
}

/** Throws when the outcome is unknown. */
async function ask(
  account: Account,
  { order, askedAt, question }: { order: PurchaseOrder; askedAt: Date; question: Question },
): Promise<BoughtNumber | RefusedPurchase> {
  const { reference } = order
  const reply = await account.ask(question).catch((error: unknown) => {
    if (error instanceof Unsent) return error
    throw error
  })
  if (reply instanceof Unsent) return refuse(account, reference, { reason: 'rejected', detail: reply.message })
  const number = readNumber(reply)
  if (number === null) return refuse(account, reference, readRefusal(account, order, reply))
  const costMicros = number.costMicros ?? readAmount(reply.price) ?? order.maxCostMicros
  return adopt(account, { reference, askedAt, costMicros }, number)
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

/** Throws when the activation is another order's, or the order has been given up. */
export async function adopt(
  account: Account,
  order: Pick<ResoldOrder, 'reference' | 'askedAt' | 'costMicros'>,
  number: SoldNumber,
): Promise<BoughtNumber> {
  const { ctx, supplierId } = account
  const { reference, askedAt, costMicros } = order
  const { activationId, phone, lifetimeMs } = number
  const expiresAt = lifetimeMs === null ? null : new Date(askedAt.getTime() + lifetimeMs)
  if (!(await markOpen(ctx.db, { supplierId, reference, activationId, phone, costMicros, expiresAt }))) {
    throw new Error(`activation ${activationId} is not free for ${reference}`)
  }
  account.lost.delete(reference)
  keepOpen(account, { reference, activationId, phone, expiresAt, rounds: 0, roundTaken: true })
  return {
    ...{ outcome: 'bought', supplierReference: activationId, phone, operator: account.settings.operator, costMicros },
    ...(expiresAt !== null && { expiresAt }),
  }
}

async function refuse(
  { ctx, supplierId }: Account,
  reference: string,
  refusal: Omit<RefusedPurchase, 'outcome'>,
): Promise<RefusedPurchase> {
  await markUnsold(ctx.db, { supplierId, reference, state: 'refused' })
  return { outcome: 'refused', ...refusal }
}
