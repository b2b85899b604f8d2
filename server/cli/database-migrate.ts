import { migrate } from '#server/db/migrate.ts'
import { seedCatalog } from '#server/features/catalog/seed.ts'
import type { Command } from './command.ts'

/** As every start of the server does it; here beforehand, to add suppliers and numbers before the first start. */
export const migrateDatabase: Command = {
  name: 'migrate',
  summary: 'bring the database up to this release, with its services and countries; repeatable',
  database: 'any',
  async run({ pool, say }) {
    const applied = await migrate(pool)
    await seedCatalog(pool)
    for (const name of applied) say(`applied ${name}`)
    if (applied.length === 0) say('the database is up to date')
    return 0
  },
}
