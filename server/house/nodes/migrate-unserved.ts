import { migrate, migrateBeside, pendingMigrations } from '#server/house/db/migrate.ts'
import type { Pool } from '#server/house/db/pool.ts'
import { StartRefused } from '#server/house/start-refused.ts'
import { isServed } from './lock-queries.ts'

/**
 * Applies the new migrations for a process that does not serve. Throws StartRefused before a migration that the nodes
 * which serve could not run on.
 */
export async function migrateUnserved(pool: Pool, ...files: [folder?: URL, version?: string]): Promise<string[]> {
  const applied = await migrateBeside(pool, ...files)
  const left = await pendingMigrations(pool, ...files)
  if (left.length > 0 && (await isServed(pool))) {
    throw new StartRefused(`the service must not run during ${left.join(', ')}: stop every node, and migrate again`)
  }
  return [...applied, ...(await migrate(pool, ...files))]
}
