import { backupDatabase } from '#server/db/backup.ts'
import type { Command } from './command.ts'

export const backup: Command = {
  name: 'backup',
  summary: 'write all data at this moment to a new FILE; purchases go on meanwhile',
  values: ['FILE'],
  database: 'migrated',
  async run(cli, given) {
    const [file = ''] = given.values
    const { tables, rows } = await backupDatabase(cli.pool, { file, now: cli.clock.now() })
    cli.say(`Wrote ${rows} rows of ${tables} tables to ${file}. SECRET_KEY is not in it: keep that elsewhere.`)
    return 0
  },
}
