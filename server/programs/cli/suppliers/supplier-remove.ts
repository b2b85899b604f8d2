import { MINUTE } from '#contract/time.ts'
import { lockSupplier } from '#server/core/catalog/health/queries/pausing.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { countUnfinished, lockForRemoval, removeSupplierRow } from '#server/programs/cli/queries/suppliers.ts'

/**
 * The minimum time for which a supplier must be paused before its removal, so that purchases begun before the pause
 * end.
 */
const PAUSED_BEFORE_MS = MINUTE

export const removeSupplier: Command = {
  name: 'supplier:remove',
  summary:
    'take a supplier that is paused and has nothing open out of service for good: its settings are forgotten, its orders keep its code',
  values: ['CODE'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [code = ''] = given.values
    return makeChange(cli, { name: 'supplier:remove', given }, async (tx, now) => {
      const supplier = await lockSupplier(tx, code)
      if (supplier === null) throw new CommandRefused(`There is no supplier ${code}`)
      const { id, kind, paused_at: pausedAt } = supplier
      if (pausedAt === null || now.getTime() - pausedAt.getTime() < PAUSED_BEFORE_MS) {
        throw new CommandRefused(
          `${code} may be selling at this moment: pause it (\`supplier:pause ${code}\`) a minute before it is removed`,
        )
      }
      await lockForRemoval(tx, id)
      const { orders, jobs } = await countUnfinished(tx, id)
      if (orders > 0) throw new CommandRefused(`${orders} orders of ${code} are open: wait until they have ended`)
      if (jobs > 0) {
        throw new CommandRefused(
          `${code} has not been told of ${jobs} endings yet: a running server tells it, try again`,
        )
      }
      await removeSupplierRow(tx, { id, now })
      await raiseCatalogVersion(tx, now)
      return { subject: `supplier:${code}`, detail: { id, kind }, says: `The supplier ${code} is removed.` }
    })
  },
}
