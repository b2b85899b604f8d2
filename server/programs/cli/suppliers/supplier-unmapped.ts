import { listUnmapped } from '#server/adapters/shared/resold/queries/codes.ts'
import { RESOLD_KINDS } from '#server/programs/boot/kinds/supplier-kinds.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { plain } from '#server/programs/cli/listing.ts'
import { findSupplierRow } from '#server/programs/cli/queries/suppliers.ts'

export const listUnmappedCodes: Command = {
  name: 'supplier:unmapped',
  summary: 'list the codes of a supplier that nobody here knows, with how many offers stand under each',
  values: ['CODE'],
  database: 'migrated',
  async run({ pool, tell, remark }, given) {
    const [code = ''] = given.values
    const row = await findSupplierRow(pool, code)
    if (row === null || !RESOLD_KINDS.includes(row.kind))
      throw new CommandRefused(`There is no supplier ${code} of the kind ${RESOLD_KINDS.join(' or ')}`)
    const unmapped = await listUnmapped(pool, row.id)
    if (unmapped.length === 0)
      remark('None, in the prices that a running server has read: it looks at them again with each refresh.')
    for (const { kind, theirs, offers, seenAt } of unmapped) {
      tell({ kind, theirs, offers, seen_at: seenAt }, `${kind} ${plain(theirs)}: ${offers} offers`)
    }
    return 0
  },
}
