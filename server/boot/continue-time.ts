import { SECOND } from '#contract/time.ts'
import { MAX_AHEAD_MS, type ServiceClock } from '#server/clock.ts'
import { findNewestMoment } from '#server/db/newest-moment.ts'
import type { Db } from '#server/db/pool.ts'
import type { Log } from '#server/log.ts'

/** Less is what processes of one machine differ by. */
const TOLD_FROM_MS = SECOND

/**
 * Has time go on where an earlier process left it: the clock of the machine may have been set back meanwhile. What is
 * stored stays in the past.
 */
export async function continueTime({ log }: { log: Log }, clock: ServiceClock, db: Db): Promise<void> {
  const newest = await findNewestMoment(db)
  if (newest === null) return
  const behindMs = Math.round(clock.continueFrom(newest))
  if (behindMs > MAX_AHEAD_MS) {
    log.error({ behindMs }, 'the clock was set back by more than a day: what is stored lies in the future')
  } else if (behindMs > TOLD_FROM_MS) {
    log.warn(
      { behindMs },
      'the clock was set back: time goes on from what is stored, a tenth slower until it has caught up',
    )
  }
}
