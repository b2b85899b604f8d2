import type { Db } from '#server/house/db/pool.ts'
import type { Log } from '#server/house/log.ts'
import { findFailOver, insertTimeline } from './timeline-queries.ts'

/** Nodes connect again within this time of a fail-over. */
const LATELY = '10 seconds'

/** Notes the timelines of PostgreSQL for a node, and logs each change once. */
export class TimelineWatch {
  #told: string | null = null

  /** `db` must reach the primary. A connection that looked for the primary may have noted the timeline before. */
  async note(db: Db, log: Log): Promise<void> {
    if ((await insertTimeline(db)) === 'copied') {
      log.warn({}, 'the database was copied to this PostgreSQL: changes since the copy are lost')
    }
    const failOver = await findFailOver(db, LATELY)
    if (failOver === null || failOver === this.#told) return
    this.#told = failOver
    log.error({}, 'PostgreSQL failed over: changes that the old primary had not copied are lost')
  }
}
