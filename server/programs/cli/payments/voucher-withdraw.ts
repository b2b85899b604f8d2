import { withdrawVouchers } from '#server/core/payments/queries/vouchers.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'

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
