import { liftPauses } from '#server/core/numbers/limits/pause-queries.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { describeScope, readScope, SCOPE_OPTIONS } from '#server/programs/cli/prices/price-scope.ts'
import { requireUser } from './find-account.ts'

export const unpauseUser: Command = {
  name: 'user:unpause',
  summary: 'let a user buy again what is paused for them because hardly any codes came: a service, a country, or all',
  values: ['EMAIL'],
  options: SCOPE_OPTIONS,
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [email = ''] = given.values
    const scope = readScope(given)
    return makeChange(cli, { name: 'user:unpause', given }, async (tx, now) => {
      const user = await requireUser(tx, email)
      await describeScope(tx, scope)
      const lifted = await liftPauses(tx, { ...scope, userId: user.id, now })
      const subject = `user:${user.id}`
      if (lifted.length === 0) {
        return { subject, detail: {}, says: `Nothing is paused there for ${email}.`, unchanged: true }
      }
      const pairs = lifted.map(({ serviceCode, countryId, until }) => ({ pair: `${serviceCode}/${countryId}`, until }))
      const says = `${email} can buy again: ${pairs.map(({ pair }) => pair).join(', ')}.`
      return { subject, detail: { email, lifted: pairs }, says }
    })
  },
}
