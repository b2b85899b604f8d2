import { MINUTE } from '#contract/time.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { countOpenOfOutlet, lockOutlet, removeOutletRow } from './queries.ts'

/**
 * The minimum time for which an outlet must be paused before its removal, so that purchases begun before the pause end.
 */
const PAUSED_BEFORE_MS = MINUTE

export const removeOutlet: Command = {
  name: 'outlet:remove',
  summary:
    'take an outlet that is paused and has nothing open out of service for good: its settings are forgotten, its orders keep its code',
  values: ['CODE'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [code = ''] = given.values
    return makeChange(cli, { name: 'outlet:remove', given }, async (tx, now) => {
      const outlet = await lockOutlet(tx, code)
      if (outlet === null) throw new CommandRefused(`There is no outlet ${code}`)
      const { id, paused_at: pausedAt } = outlet
      if (pausedAt === null || now.getTime() - pausedAt.getTime() < PAUSED_BEFORE_MS) {
        throw new CommandRefused(
          `${code} may be giving a number at this moment: pause it (\`outlet:pause ${code}\`) a minute before it is removed`,
        )
      }
      const { orders, words, pushes } = await countOpenOfOutlet(tx, { id, now })
      if (orders > 0) throw new CommandRefused(`${orders} orders of ${code} are open: wait until they have ended`)
      if (words > 0) {
        throw new CommandRefused(
          `${words} endings that ${code} told are not done yet: a running server does them, try again`,
        )
      }
      if (pushes > 0) {
        throw new CommandRefused(
          `${pushes} messages are not accepted by ${code} yet: they are tried for a day (\`outlet:list\` says why)`,
        )
      }
      await removeOutletRow(tx, { id, now })
      return { subject: `outlet:${code}`, detail: { id }, says: `The outlet ${code} is removed.` }
    })
  },
}
