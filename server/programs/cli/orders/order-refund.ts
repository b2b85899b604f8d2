import { toDecimal } from '#contract/money.ts'
import { type Order, payBack } from '#server/core/numbers/refunds/pay-back.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'

export const refundOrder: Command = {
  name: 'order:refund',
  summary:
    'give the price of an activation back after its code, of a rental (rental:ID) with its extensions, or of one charge (charge:ID), once; what is only held goes back by itself',
  values: ['ORDER'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const order = readOrder(given.values[0] ?? '')
    return makeChange(cli, { name: 'order:refund', given }, async (tx, now) => {
      const refund = await payBack(tx, { order, link: null, now })
      const words = order.kind === 'activation' ? `activation ${order.id}` : `${order.kind} ${order.id}`
      switch (refund.outcome) {
        case 'unknown':
          throw new CommandRefused(`There is no ${words}`)
        case 'not-captured':
          throw new CommandRefused(`Nothing was taken for ${words}: its money is held, or went back already`)
        case 'refunded-before':
          throw new CommandRefused(
            `${words.charAt(0).toUpperCase()}${words.slice(1)} was refunded before: nothing moved`,
          )
        case 'nobody':
          throw new CommandRefused(`The buyer of ${words} has left: nothing moved`)
        case 'refunded': {
          const amount = toDecimal(refund.amountMicros)
          const { userId, currency, charges } = refund
          const subject = `${order.kind}:${order.id}`
          return {
            subject,
            tells: { balancesOf: [userId], orders: [subject] },
            detail: { userId, amount, currency, ...(charges !== undefined && { charges: charges.map(Number) }) },
            says: `Refunded ${amount} ${currency} for ${words}; the user has ${toDecimal(refund.availableMicros)} ${currency} available.`,
          }
        }
        default:
          return refund satisfies never
      }
    })
  },
}

function readOrder(text: string): Order {
  const [, kind, id = ''] = /^(?:(rental|charge):)?(\d{1,18})$/.exec(text) ?? []
  if (id === '') throw new WrongUsage('ORDER is the number of an activation, rental:ID or charge:ID')
  return { kind: kind === 'rental' || kind === 'charge' ? kind : 'activation', id: BigInt(id) }
}
