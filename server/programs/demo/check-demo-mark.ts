import type { Config } from '#server/house/config/config.ts'
import type { Db } from '#server/house/db/pool.ts'
import { StartRefused } from '#server/house/start-refused.ts'
import { countForeignTables, findDemoMark, hasOurTables } from './queries.ts'

/**
 * Throws StartRefused for a demo in a database with tables of other programs, or like `refuseWrongMark`. Must run
 * before migrations change the database.
 */
export async function refuseForeignDatabase(db: Db, config: Config): Promise<void> {
  if (await hasOurTables(db)) return refuseWrongMark(db, config)
  if (!config.demo || (await countForeignTables(db)) === 0) return
  throw new StartRefused('DEMO is set, but the database holds other tables: give the demo an empty database')
}

/**
 * Throws StartRefused for a demo on real data, or a real service on a demo's data. The start calls it again once it
 * holds the instance lock.
 */
export async function refuseWrongMark(db: Db, config: Config): Promise<void> {
  const { marked, empty } = await findDemoMark(db)
  if (config.demo && !marked && !empty) {
    throw new StartRefused('DEMO is set, but the database holds real data: give the demo an empty database')
  }
  if (!config.demo && marked) {
    throw new StartRefused('the database belongs to a demo: set DEMO=1, or give the service a database of its own')
  }
}
