import { parseDecimal, toDecimal } from '#contract/money.ts'
import { makeChange } from '#server/cli/change.ts'
import { type Command, CommandRefused, WrongUsage } from '#server/cli/command.ts'
import type { PaymentSheet } from '#server/cli/queries/payments.ts'
import { REFUNDED_BY_HAND } from '#server/gateways/registry.ts'
import { queueRefund } from '#server/payments/queries/refunds.ts'
import { takeForRefund } from '#server/payments/settling/take-for-refund.ts'
import { requirePayment } from './find-payment.ts'

export const refundPaymentByHand: Command = {
  name: 'payment:refund',
  summary:
    'pay back to its origin what arrived for a payment and has not been spent, all that is left or an AMOUNT; the bonus goes with it',
  values: ['PAYMENT'],
  options: { amount: { shows: '500.00' } },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    return makeChange(cli, { name: 'payment:refund', given }, async (tx, now) => {
      const payment = await requirePayment(tx, given.values[0] ?? '')
      const { id, currency, received_micros: received, reversed_micros: reversed } = payment
      if (received === 0n) throw new CommandRefused(`Nothing has arrived for payment ${id}`)
      const amountMicros = readAmount(given.options.amount) ?? received - reversed
      if (amountMicros <= 0n) throw new CommandRefused(`All of payment ${id} has gone back, or is to`)
      const isByHand = REFUNDED_BY_HAND.has(payment.kind)
      const taken = await takeForRefund(tx, { id, amountMicros, state: isByHand ? 'done' : 'asked', now })
      if (taken.outcome !== 'taken') throw new CommandRefused(explain(taken.outcome, payment, amountMicros))
      if (!isByHand) await queueRefund(tx, taken.reversal.id)
      const amount = toDecimal(amountMicros)
      const detail = { userId: payment.user_id, amount, currency, reversal: Number(taken.reversal.id) }
      const how = isByHand ? 'Noted as paid back by hand' : `${payment.gateway} is asked to pay back`
      return { subject: `payment:${id}`, detail, says: `${how}: ${amount} ${currency} of payment ${id}.` }
    })
  },
}

function readAmount(text: string | undefined): bigint | null {
  if (text === undefined) return null
  const micros = parseDecimal(text)
  if (micros === null || micros <= 0n) throw new WrongUsage('--amount is such as 500.00')
  return micros
}

function explain(outcome: 'spent' | 'too-much' | 'unknown', payment: PaymentSheet, amountMicros: bigint): string {
  const { id, currency } = payment
  const amount = `${toDecimal(amountMicros)} ${currency}`
  if (outcome === 'spent') return `Payment ${id}: ${amount} with its bonus is not available any more, it has been spent`
  if (outcome === 'too-much') return `Payment ${id}: ${amount} is more than has arrived and not gone back yet`
  return `There is no payment ${id}`
}
