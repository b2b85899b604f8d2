import { makeChange } from '#server/programs/cli/change.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { checkSoon } from '#server/programs/cli/queries/payments.ts'
import { requirePayment } from './find-payment.ts'

export const recheckPayment: Command = {
  name: 'payment:recheck',
  summary: 'have a running server ask the gateway at once what became of a payment, whatever its state',
  values: ['PAYMENT'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    return makeChange(cli, { name: 'payment:recheck', given }, async (tx, now) => {
      const { id, gateway } = await requirePayment(tx, given.values[0] ?? '')
      await checkSoon(tx, { id, now })
      return { subject: `payment:${id}`, detail: {}, says: `${gateway} is asked for payment ${id} within seconds.` }
    })
  },
}
