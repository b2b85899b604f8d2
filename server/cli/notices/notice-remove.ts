import { makeChange } from '#server/cli/change.ts'
import { type Command, CommandRefused } from '#server/cli/command.ts'
import { deleteNotice } from '#server/site/notices/queries.ts'

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
