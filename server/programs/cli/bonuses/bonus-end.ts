import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { endBonusRule } from '#server/programs/cli/queries/bonuses.ts'

export const endBonus: Command = {
  name: 'bonus:end',
  summary: 'promise the bonus of a rule no more; payments that were begun before keep theirs',
  values: ['NAME'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [name = ''] = given.values
    return makeChange(cli, { name: 'bonus:end', given }, async (tx, now) => {
      if (!(await endBonusRule(tx, { name, now }))) throw new CommandRefused(`No rule ${name} is under way or to come`)
      return { subject: `bonus:${name}`, detail: {}, says: `${name} is promised no more.` }
    })
  },
}
