import { raiseCatalogVersion } from '#server/catalog/offers/queries.ts'
import { makeChange } from '#server/cli/change.ts'
import { type Command, CommandRefused } from '#server/cli/command.ts'
import { deleteRule, lockRule } from '#server/cli/queries/prices.ts'
import { describeRule, describeScope, readScope, SCOPE_OPTIONS, scopeSubject } from './price-scope.ts'

export const removePrice: Command = {
  name: 'price:remove',
  summary:
    'remove what price:set has set for exactly this service, country, both, or everything; wider rules hold again',
  options: SCOPE_OPTIONS,
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const scope = readScope(given)
    return makeChange(cli, { name: 'price:remove', given }, async (tx, now) => {
      const described = await describeScope(tx, scope)
      const before = await lockRule(tx, scope)
      if (before === null) throw new CommandRefused(`${described}: there is no price rule for exactly this`)
      await deleteRule(tx, scope)
      await raiseCatalogVersion(tx, now)
      return {
        subject: scopeSubject(scope),
        detail: { before: describeRule(before), after: null },
        says: `${described}: no price rule any more (was ${describeRule(before)}).`,
      }
    })
  },
}
