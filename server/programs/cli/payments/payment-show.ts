import { toDecimal } from '#contract/money.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { plain } from '#server/programs/cli/listing.ts'
import { listPaymentHappenings } from '#server/programs/cli/queries/payments.ts'
import { requirePayment } from './find-payment.ts'
import { describe, toTold } from './payment-list.ts'

export const showPayment: Command = {
  name: 'payment:show',
  summary:
    'show a payment by its number, transaction id or reference, with its time-line: money, events, what staff did',
  values: ['PAYMENT'],
  database: 'migrated',
  async run({ pool, tell, remark }, given) {
    const payment = await requirePayment(pool, given.values[0] ?? '')
    const happenings = await listPaymentHappenings(pool, payment)
    const timeline = happenings.map(({ at, what, micros, named }) => ({
      at,
      what,
      named,
      ...(micros !== null && { amount: toDecimal(micros) }),
    }))
    tell({ ...toTold(payment), timeline }, describe(payment))
    const lines: [string, unknown][] = [
      ['transaction', payment.transaction_id],
      ['gateway id', payment.provider_id ?? 'none'],
      ['open until', payment.expires_at.toISOString()],
      ['paid', payment.paid_at?.toISOString() ?? 'no'],
      ['next look', payment.next_check_at?.toISOString() ?? 'none'],
    ]
    for (const [name, value] of lines) remark(`  ${name.padEnd(11)} ${plain(String(value))}`)
    for (const { at, what, named, amount } of timeline) {
      const money = amount === undefined ? '' : ` ${amount} ${payment.currency}`
      remark(`  ${at.toISOString()} ${what}${money}${named === null ? '' : ` (${plain(named)})`}`)
    }
    return 0
  },
}
