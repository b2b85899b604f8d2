import { takeInstanceLock } from '#server/db/instance-lock.ts'
import { restoreDatabase } from '#server/db/restore.ts'
import { checkBooks } from '#server/money/verify.ts'
import { recordChange } from './change.ts'
import { type Command, CommandRefused } from './command.ts'

export const restore: Command = {
  name: 'restore',
  summary: 'fill an empty database from the FILE of a backup, all or nothing; the server must be stopped',
  values: ['FILE'],
  changes: true,
  database: 'any',
  async run(cli, given) {
    const [file = ''] = given.values
    await using _alone = await takeInstanceLock(cli.pool)
    const { takenAt, tables, rows } = await restoreDatabase(cli.pool, file, async (tx) => {
      const { ok, checks } = await checkBooks(tx)
      if (!ok) {
        const problem = checks.flatMap((check) => check.problems)[0] ?? ''
        throw new CommandRefused(`The books in ${file} are wrong (${problem}): nothing was restored`)
      }
      const change = { subject: 'database', detail: { file } }
      await recordChange(tx, { name: 'restore', given, change, now: cli.clock.now() })
    })
    cli.say(`Restored ${rows} rows of ${tables} tables as they were at ${takenAt}. The books are right.`)
    return 0
  },
}
