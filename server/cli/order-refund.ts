import { toDecimal } from '#contract/money.ts'
import { refundActivation } from '#server/money/refund.ts'
import { makeChange } from './change.ts'
import { type Command, CommandRefused, WrongUsage } from './command.ts'

export const refundOrder: Command = {
  name: 'order:refund',
  summary: 'give the price of an activation back after its code, once; without a code it goes back by itself',
  values: ['ACTIVATION_ID'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [id = ''] = given.values
    if (!/^\d{1,18}$/.test(id)) throw new WrongUsage('ACTIVATION_ID is the number of an activation')
    return makeChange(cli, { name: 'order:refund', given }, async (tx, now) => {
      const refund = await refundActivation(tx, { activationId: BigInt(id), at: now })
      switch (refund.outcome) {
        case 'unknown':
          throw new CommandRefused(`There is no activation ${id}`)
        case 'not-captured':
          throw new CommandRefused(`Nothing was taken for activation ${id}: its money is held, or went back already`)
        case 'refunded-before':
          throw new CommandRefused(`Activation ${id} was refunded before: nothing moved`)
        case 'refunded': {
          const amount = toDecimal(refund.amountMicros)
          const { userId, currency } = refund
          return {
            subject: `activation:${id}`,
            detail: { userId, amount, currency },
            says: `Refunded ${amount} ${currency} for activation ${id}; the user has ${toDecimal(refund.availableMicros)} ${currency} available.`,
          }
        }
        default:
          return refund satisfies never
      }
    })
  },
}
