import { toDecimal } from '#contract/money.ts'
import { cancelRefunds, queueRefund } from '#server/core/payments/queries/refunds.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { requirePayment } from './find-payment.ts'

export const cancelRefundByHand: Command = {
  name: 'payment:refund-cancel',
  summary:
    'end the refunds of a payment that its gateway has not answered: a running server asks it, and what it has not got returns to the account',
  values: ['PAYMENT'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    return makeChange(cli, { name: 'payment:refund-cancel', given }, async (tx, now) => {
      const { id, user_id: userId, currency, gateway } = await requirePayment(tx, given.values[0] ?? '')
      const refunds = await cancelRefunds(tx, { paymentId: id, now })
      if (refunds.length === 0) throw new CommandRefused(`Payment ${id} has no refund that ${gateway} has not answered`)
      for (const refund of refunds) await queueRefund(tx, refund.id)
      const amount = toDecimal(refunds.reduce((sum, { amount_micros: micros }) => sum + micros, 0n))
      const detail = { userId, amount, currency, reversals: refunds.map((refund) => Number(refund.id)) }
      const says = `${gateway} is asked whether it has made the refund of ${amount} ${currency}. If not, the money returns to the account.`
      return { subject: `payment:${id}`, detail, says }
    })
  },
}
