import { pendingMigrations } from '#server/house/db/migrate.ts'
import { migrateUnserved } from '#server/house/nodes/migrate-unserved.ts'
import { seedCatalog } from '#server/programs/boot/seed-catalog.ts'
import type { Command } from './command.ts'
import { DRY_RUN } from './parse-command.ts'

/** Migrates the database, as every start does, so that staff can add suppliers and numbers before the first start. */
export const migrateDatabase: Command = {
  name: 'migrate',
  summary: 'bring the database up to this release, with its services and countries; repeatable',
  database: 'any',
  switches: [DRY_RUN],
  async run({ pool, tell, dryRun }) {
    if (dryRun) {
      const pending = await pendingMigrations(pool)
      for (const migration of pending) tell({ migration, applied: false }, `would apply ${migration}`)
      if (pending.length === 0) tell({ upToDate: true }, 'the database is up to date')
      return 0
    }
    const applied = await migrateUnserved(pool)
    await seedCatalog(pool)
    for (const migration of applied) tell({ migration, applied: true }, `applied ${migration}`)
    if (applied.length === 0) tell({ upToDate: true }, 'the database is up to date')
    return 0
  },
}
