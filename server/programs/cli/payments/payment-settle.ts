import { wholeCents } from '#contract/formats/payment-terms.ts'
import { parseDecimal, toDecimal } from '#contract/money.ts'
import { findDeposit } from '#server/core/payments/queries/money.ts'
import type { PaymentRow } from '#server/core/payments/queries/payments.ts'
import { settlePayment } from '#server/core/payments/settle-payment.ts'
import type { Db } from '#server/house/db/pool.ts'
import { makeChange, refuseDoubtful } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import { requirePayment } from './find-payment.ts'

const ID_PATTERN = /^[\x21-\x7e]{1,100}$/

export const settlePaymentByHand: Command = {
  name: 'payment:settle',
  summary:
    'credit an AMOUNT that came by bank transfer to a payment (its number or reference), once for each --id of the bank',
  values: ['PAYMENT', 'AMOUNT'],
  options: { id: { shows: 'ID', required: true } },
  changes: true,
  doubts: true,
  database: 'migrated',
  async run(cli, given) {
    const [name = '', text = ''] = given.values
    const { id: bankId = '' } = given.options
    const amountMicros = parseDecimal(text)
    const isWhole = amountMicros !== null && amountMicros === wholeCents(amountMicros)
    if (!isWhole || amountMicros <= 0n) throw new WrongUsage('AMOUNT is such as 500.00')
    if (!ID_PATTERN.test(bankId)) throw new WrongUsage('--id is 1 to 100 printable characters without spaces')
    return makeChange(cli, { name: 'payment:settle', given }, async (tx, now) => {
      const payment = await requirePayment(tx, name)
      const { id, kind, currency, amount_micros: asked, gateway } = payment
      if (kind !== 'transfer') refuseDoubtful(given, `${gateway} itself tells what has arrived (payment:recheck)`)
      if (amountMicros > asked) {
        refuseDoubtful(given, `${toDecimal(amountMicros)} ${currency} is more than the ${toDecimal(asked)} asked for`)
      }
      const providerId = `hand-${bankId}`
      const deposits = [{ providerId, amountMicros }]
      const settled = await settlePayment(tx, { id, facts: { progress: 'pending', deposits, reversals: [] }, now })
      if (settled === null) throw new CommandRefused(`There is no payment ${name}`)
      await refuseOther(tx, { bankId, providerId, amountMicros, row: settled.row })
      const amount = toDecimal(amountMicros)
      const available = toDecimal(settled.availableMicros)
      const detail = { userId: payment.user_id, amount, currency, id: bankId, state: settled.row.state }
      const subject = `payment:${id}`
      if (!settled.hasMoved) {
        return { subject, detail, says: `${bankId} was credited before: nothing moved.`, unchanged: true }
      }
      const says = `Payment ${id} is ${settled.row.state}: ${amount} ${currency} came, ${available} ${currency} are available.`
      return { subject, detail, says, tells: { balancesOf: [payment.user_id] } }
    })
  },
}

/**
 * Refuses a bank entry's id that was already credited to another payment or with another amount. Such ids may be valid,
 * because a second bank or a new year may count from 1 again.
 */
async function refuseOther(
  tx: Db,
  {
    bankId,
    providerId,
    amountMicros,
    row,
  }: { bankId: string; providerId: string; amountMicros: bigint; row: PaymentRow },
): Promise<void> {
  const known = await findDeposit(tx, { gatewayId: row.gateway_id, providerId })
  if (known === null || (known.payment_id === row.id && known.amount_micros === amountMicros)) return
  const credited = `${toDecimal(known.amount_micros)} ${row.currency} of payment ${known.payment_id}`
  throw new CommandRefused(`${bankId} was credited before, as ${credited}: nothing moved, take another id`)
}
