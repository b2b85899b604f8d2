import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/pool.ts'
import { StartRefused } from '#server/start-refused.ts'
import { countForeignTables, findDemoMark, hasOurTables } from './queries.ts'

/**
 * Before migrating: the demo is not put into somebody else's database, and a database of the wrong kind is not brought
 * up to this release first. Throws StartRefused.
 */
export async function refuseForeignDatabase(db: Db, config: Config): Promise<void> {
  if (await hasOurTables(db)) return refuseWrongMark(db, config)
  if (!config.demo || (await countForeignTables(db)) === 0) return
  throw new StartRefused('DEMO is set, but the database holds other tables: give the demo an empty database')
}

/** After migrating too, when nobody else can start any more: a demo never runs on real data, and real data is never served from a demo. Throws StartRefused. */
export async function refuseWrongMark(db: Db, config: Config): Promise<void> {
  const { marked, empty } = await findDemoMark(db)
  if (config.demo && !marked && !empty) {
    throw new StartRefused('DEMO is set, but the database holds real data: give the demo an empty database')
  }
  if (!config.demo && marked) {
    throw new StartRefused('the database belongs to a demo: set DEMO=1, or give the service a database of its own')
  }
}
