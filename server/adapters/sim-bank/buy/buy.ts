import { toDecimal } from '#contract/money.ts'
import { SECOND } from '#contract/time.ts'
import {
  type BoughtNumber,
  NUMBER_HELD_MS,
  type PurchaseOrder,
  type RefusedPurchase,
  type UnknownReference,
} from '#server/core/suppliers/supplier.ts'
import { whyFailed } from '#server/house/http/outbound/why-failed.ts'
import { type BankReply, LONGEST_CALL_MS, Unsent } from '../wire/ask-bank.ts'
import { digits } from '../wire/numbers.ts'
import { ANY } from '../wire/read-services.ts'
import { CURRENCY_NUMBERS } from '../wire/words.ts'
import { type Bank, slugsOf } from './bank.ts'
import { pairOf } from './overstated.ts'
import { listCountries } from './queries/names.ts'
import { bankOrders, findOrRefuse, markSold } from './queries/orders.ts'

/**
 * Buys a number by GET_NUMBER. The order is stored first, so that no reference is requested twice, because the protocol
 * has no field for it. The caller's wait is limited, but the call goes on, so that a late number can be given back.
 */
export async function buyNumber(
  bank: Bank,
  order: PurchaseOrder,
  signal: AbortSignal,
): Promise<BoughtNumber | RefusedPurchase> {
  const { ctx, supplierId, settings } = bank
  const { reference, serviceCode, countryId } = order
  const service = settings.services.find(({ code }) => code === serviceCode)
  const costMicros = service?.costByCountry[countryId] ?? service?.cost
  // The protocol has no way to request a particular number.
  if (service === undefined || costMicros === undefined || order.repeatOf !== undefined) return NONE
  if (costMicros > order.maxCostMicros || order.currency !== settings.currency) {
    return { outcome: 'refused', reason: 'rejected', detail: 'its reward is more than may be paid' }
  }
  const country = bank.written.countries.get(countryId) ?? (await slugsOf(bank)).slugOf(countryId)
  if (country === undefined) return NONE
  const operator = order.operator ?? settings.anyOperator
  const row = { supplierId, reference, serviceCode, countryId, operator, costMicros, now: ctx.clock.now() }
  if (!(await bankOrders.insert(ctx.db, { ...row, state: 'asking' })))
    throw new Error(`${reference} was asked for before`)
  const excluded = order.excludedPrefixes ?? []
  const asked = bank.ask(
    'GET_NUMBER',
    {
      country,
      operator: operator === settings.anyOperator ? ANY : operator,
      service: service.theirs ?? serviceCode,
      sum: Number(toDecimal(costMicros)),
      currency: CURRENCY_NUMBERS[settings.currency],
      ...(excluded.length > 0 && { exceptionPhoneSet: excluded }),
    },
    { signal: bank.stopping.signal, timeLimitMs: LONGEST_CALL_MS },
  )
  const wanted = { reference, serviceCode, countryId, operator, costMicros, isPlain: excluded.length === 0 }
  const settled = settle(bank, wanted, asked).finally(() => bank.underWay.delete(reference))
  bank.underWay.set(reference, settled)
  return await within(settled, settings.answerSeconds * SECOND, signal)
}

const NONE: RefusedPurchase = { outcome: 'refused', reason: 'no-numbers' }

type Asked = {
  reference: string
  serviceCode: string
  countryId: number
  operator: string
  costMicros: bigint
  isPlain: boolean
}

async function settle(bank: Bank, order: Asked, asked: Promise<BankReply>): Promise<BoughtNumber | RefusedPurchase> {
  const { ctx, supplierId, link } = bank
  const { reference } = order
  const refuse = async (refusal: Omit<RefusedPurchase, 'outcome'>): Promise<RefusedPurchase> => {
    await bankOrders.markUnsold(ctx.db, { supplierId, reference, state: 'refused' })
    return { outcome: 'refused', ...refusal }
  }
  const reply = await asked.catch((error: unknown) => {
    link.note('reach', error instanceof Unsent && error.answered, whyFailed(error))
    if (error instanceof Unsent) return error
    throw error
  })
  if (reply instanceof Unsent) return refuse({ reason: 'rejected', detail: reply.message })
  link.note('reach', true)
  const { status, error, json } = reply
  switch (status) {
    case 'NO_NUMBERS':
      if (order.isPlain && bank.overstated.refused(pairOf(order), ctx.clock.now())) {
        ctx.log.warn({ supplier: bank.code, pair: pairOf(order) }, 'a SIM bank declares numbers that it does not give')
      }
      return refuse({ reason: 'no-numbers' })
    case 'ERROR':
      return refuse({ reason: 'rejected', detail: error })
    case 'SUCCESS':
      bank.overstated.gave(pairOf(order))
      return adopt(bank, order, json)
    default:
      throw new Error(`GET_NUMBER was answered with ${status.slice(0, 40)}`)
  }
}

/**
 * Stores the number that the bank gave. Throws if it cannot be sold. Then the caller's job gives it back, or a job of its
 * own if another node gave the order up.
 */
async function adopt(bank: Bank, order: Asked, json: Record<string, unknown>): Promise<BoughtNumber> {
  const { ctx, supplierId } = bank
  const { reference, countryId, operator, costMicros } = order
  const activationId = digits.safeParse(json.activationId)
  // No number can be given back without an activationId.
  if (!activationId.success) throw new Error('GET_NUMBER was answered without an activationId')
  const number = digits.safeParse(json.number)
  const dial = (await listCountries(ctx.db)).find(({ id }) => id === countryId)?.dial ?? ''
  const phone = number.success && number.data.startsWith(dial) ? number.data : ''
  const lostSince = new Date(ctx.clock.now().getTime() - NUMBER_HELD_MS)
  const sold = { supplierId, reference, activationId: activationId.data, phone, lostSince }
  const outcome = await markSold(ctx.db, sold)
  if (outcome === 'moved-on') {
    const late = { supplierId, reference, theirId: sold.activationId, phone, costMicros }
    const isGoing = await bankOrders.giveBack(ctx.db, late)
    const fields = { supplier: bank.code, reference, activationId: sold.activationId, isGoing }
    ctx.log.warn(fields, 'a number came after its order was given up')
    throw new Error(`${reference} was given up before its answer came`)
  }
  if (outcome === 'taken') {
    // The activation is not given back, because that would end the other order to which it is sold.
    await bankOrders.markUnsold(ctx.db, { supplierId, reference, state: 'refused' })
    throw new Error(`activation ${activationId.data} is sold to another order already`)
  }
  if (outcome === 'closed') throw new Error('the number is of another country, or that of an answer that got lost')
  return { outcome: 'bought', supplierReference: sold.activationId, phone: sold.phone, operator, costMicros }
}

/** Limits a wait. Rejects after the time-out, but the work goes on, so that a late reply is still stored. */
async function within<T>(work: Promise<T>, limitMs: number, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs)
  const onAbort = () => reject(new Error('the purchase was given up', { cause: signal.reason }))
  signal.addEventListener('abort', onAbort, { once: true })
  // The caller no longer waits, so a later error must not become an unhandled rejection.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/**
 * Finds a purchase in our tables, because the protocol has no call for that. While the reply may come, the outcome is
 * unknown. A lost reply is lost for good, and its number is shown to nobody.
 */
export async function findPurchase(bank: Bank, reference: string): Promise<BoughtNumber | UnknownReference> {
  const { ctx, supplierId, code } = bank
  if (bank.underWay.has(reference)) throw new Error(`the answer to ${reference} may still come`)
  const row = await findOrRefuse(ctx.db, { supplierId, reference, now: ctx.clock.now() })
  if (row.state === 'asking') {
    await bankOrders.markUnsold(ctx.db, { supplierId, reference, state: 'lost' })
    ctx.log.warn({ supplier: code, reference }, 'the answer to GET_NUMBER is lost: its number is kept for nobody')
  }
  const { activationId, phone, operator, costMicros } = row
  if (row.state !== 'sold' || activationId === null || phone === null) return { outcome: 'none' }
  return { outcome: 'bought', supplierReference: activationId, phone, operator, costMicros }
}
