import { toDecimal } from '#contract/money.ts'
import { payBack } from '#server/core/numbers/refunds/pay-back.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import { readLimit, readSince } from '#server/programs/cli/listing.ts'
import { listOrders, lockActivations } from '#server/programs/cli/queries/orders.ts'

export const refundTexts: Command = {
  name: 'order:refund-texts',
  summary:
    'give back the price of every activation that was charged by a message without a code since then, as order:list --paid-for text shows them, the newest first; what its buyer opened stays',
  options: {
    since: { shows: '24h' },
    service: { shows: 'tg' },
    supplier: { shows: 'CODE' },
    limit: { shows: '1-500' },
  },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const { options } = given
    if (options.since === undefined) throw new WrongUsage('--since is needed: a refund cannot be taken back')
    const limit = readLimit(options.limit)
    return makeChange(cli, { name: 'order:refund-texts', given }, async (tx, now) => {
      const list = () =>
        listOrders(tx, {
          kind: 'activation',
          userId: null,
          phone: null,
          state: null,
          countryId: null,
          after: null,
          limit,
          serviceCode: options.service ?? null,
          supplier: options.supplier ?? null,
          paidFor: 'text',
          since: readSince(options.since, now),
        })
      const found = (await list()).map(({ id }) => id)
      await lockActivations(tx, found)
      // The orders are read again under their locks, because a code may have arrived between the first reading and the
      // locks.
      const orders = (await list()).filter(({ id }) => found.includes(id))
      const refunded: { id: number; amount: string; currency: string }[] = []
      const buyers = new Set<number>()
      for (const { id } of orders) {
        const refund = await payBack(tx, { order: { kind: 'activation', id }, link: null, now })
        // Earlier refunds of this run have already moved money, so the throw rolls them back.
        if (refund.outcome === 'nobody') throw new CommandRefused(`The buyer of ${id} has just left: type it again`)
        if (refund.outcome !== 'refunded') continue
        buyers.add(refund.userId)
        refunded.push({ id: Number(id), amount: toDecimal(refund.amountMicros), currency: refund.currency })
      }
      const more = found.length === limit ? ' There may be more: type it again.' : ''
      return {
        subject: 'orders:texts',
        detail: { refunded },
        says: `${refunded.length} activations were charged without a code, and their prices are given back.${more}`,
        unchanged: refunded.length === 0,
        tells: { balancesOf: [...buyers], orders: refunded.map(({ id }) => `activation:${id}`) },
      }
    })
  },
}
