import { makeChange } from '#server/cli/change.ts'
import { type Command, CommandRefused } from '#server/cli/command.ts'
import { withdrawVouchers } from '#server/payments/queries/vouchers.ts'

export const withdrawVoucherBatch: Command = {
  name: 'voucher:withdraw',
  summary: 'make the unused vouchers of a BATCH worthless, for example after their codes leaked',
  values: ['BATCH'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [batch = ''] = given.values
    return makeChange(cli, { name: 'voucher:withdraw', given }, async (tx, now) => {
      const count = await withdrawVouchers(tx, { batch, now })
      if (count === 0) throw new CommandRefused(`No unused voucher of the batch ${batch} is left`)
      return {
        subject: `vouchers:${batch}`,
        detail: { count },
        says: `${count} vouchers of ${batch} are worthless now.`,
      }
    })
  },
}
