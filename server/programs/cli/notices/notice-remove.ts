import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { deleteNotice } from '#server/surfaces/site/notices/queries.ts'

export const removeNotice: Command = {
  name: 'notice:remove',
  summary: 'show a banner no more',
  values: ['NAME'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [name = ''] = given.values
    return makeChange(cli, { name: 'notice:remove', given }, async (tx) => {
      if (!(await deleteNotice(tx, name))) throw new CommandRefused(`There is no notice ${name}`)
      return { subject: `notice:${name}`, detail: {}, says: `${name} is shown no more.` }
    })
  },
}
