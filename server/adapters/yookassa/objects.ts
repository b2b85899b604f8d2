import { z } from 'zod'
import { type Currency, parseDecimal, toDecimal } from '#contract/money.ts'

const MICROS_PER_KOPECK = 10_000n

const money = z.object({
  value: z.string().transform((text, check) => {
    const micros = parseDecimal(text)
    if (micros !== null && micros > 0n) return micros
    check.addIssue('is no amount')
    return z.NEVER
  }),
  currency: z.string().max(10),
})
const id = z.string().min(1).max(100)
const word = z.string().max(100)

const paymentSchema = z.object({
  id,
  status: z.enum(['pending', 'waiting_for_capture', 'succeeded', 'canceled']),
  paid: z.boolean(),
  test: z.boolean(),
  amount: money,
  metadata: z.record(z.string(), z.unknown()).nullish(),
  confirmation: z.object({ confirmation_url: z.string().max(4_096).nullish() }).nullish(),
  cancellation_details: z.object({ reason: word }).nullish(),
})
export type YookassaPayment = z.output<typeof paymentSchema>

const refundSchema = z.object({
  id,
  payment_id: id,
  status: z.enum(['pending', 'succeeded', 'canceled']),
  amount: money,
  description: z.string().max(1_000).nullish(),
  cancellation_details: z.object({ reason: word }).nullish(),
})
export type YookassaRefund = z.output<typeof refundSchema>

type Asked = { transactionId: string; amountMicros: bigint; currency: Currency }

/** Reads a payment of YooKassa. Throws if it is not the requested one, so that no other payment's money is credited. */
export function readPayment(object: unknown, asked: Asked, isTest: boolean): YookassaPayment {
  const payment = paymentSchema.parse(object)
  const { amount, metadata, test } = payment
  const faults = [
    ...(metadata?.transaction_id === asked.transactionId ? [] : ['metadata']),
    ...(amount.value === asked.amountMicros ? [] : ['amount']),
    ...(amount.currency === asked.currency.toUpperCase() ? [] : ['currency']),
    ...(test === isTest ? [] : ['test']),
  ]
  if (faults.length > 0) throw new Error(`YooKassa answered about another payment: ${faults.join(', ')}`)
  return payment
}

export function readRefund(object: unknown): YookassaRefund {
  return refundSchema.parse(object)
}

export type Money = { value: string; currency: string }

/** Writes an amount for YooKassa. Returns null for parts of a kopeck, because YooKassa accepts whole kopecks only. */
export function toMoney(micros: bigint, currency: Currency): Money | null {
  if (micros % MICROS_PER_KOPECK !== 0n) return null
  return { value: toDecimal(micros), currency: currency.toUpperCase() }
}
