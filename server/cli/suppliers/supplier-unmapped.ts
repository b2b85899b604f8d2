import { type Command, CommandRefused } from '#server/cli/command.ts'
import { plain } from '#server/cli/listing.ts'
import { findSupplierRow } from '#server/cli/queries/suppliers.ts'
import { listUnmapped } from '#server/suppliers/resold/queries/codes.ts'

export const listUnmappedCodes: Command = {
  name: 'supplier:unmapped',
  summary: 'list the codes of a supplier that nobody here knows, with how many offers stand under each',
  values: ['CODE'],
  database: 'migrated',
  async run({ pool, tell, remark }, given) {
    const [code = ''] = given.values
    const row = await findSupplierRow(pool, code)
    if (row === null) throw new CommandRefused(`There is no supplier ${code}`)
    const unmapped = await listUnmapped(pool, row.id)
    if (unmapped.length === 0) remark('Every code of its prices is known.')
    for (const { kind, theirs, offers, seenAt } of unmapped) {
      tell({ kind, theirs, offers, seen_at: seenAt }, `${kind} ${plain(theirs)}: ${offers} offers`)
    }
    return 0
  },
}
