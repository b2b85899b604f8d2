import { lockSupplier } from '#server/core/catalog/health/queries/pausing.ts'
import { insertEvent, restoreStanding } from '#server/core/catalog/health/queries/standings.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'

export const restoreSupplier: Command = {
  name: 'supplier:restore',
  summary: 'sell at once again from a supplier that was set aside for its errors or its share of codes',
  values: ['CODE'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [code = ''] = given.values
    return makeChange(cli, { name: 'supplier:restore', given }, async (tx, now) => {
      const supplier = await lockSupplier(tx, code)
      if (supplier === null) throw new CommandRefused(`There is no supplier ${code}`)
      const { id } = supplier
      const changed = await restoreStanding(tx, { supplierId: id, now })
      if (changed) {
        await insertEvent(tx, { supplierId: id, kind: 'restored', reason: given.options.reason ?? '', now })
        await raiseCatalogVersion(tx, now)
      }
      const says = changed ? `The supplier ${code} sells again.` : `The supplier ${code} is not set aside.`
      return { subject: `supplier:${code}`, detail: { id }, says, unchanged: !changed }
    })
  },
}
