import type { ServiceClock, SetBack } from '#server/clock.ts'
import { findNewestMoment } from '#server/db/newest-moment.ts'
import type { Db } from '#server/db/pool.ts'
import type { Log } from '#server/log.ts'

/**
 * Has time go on where an earlier process left it: the clock of the machine may have been set back meanwhile. What is
 * stored stays in the past.
 */
export async function continueTime(clock: ServiceClock, db: Db): Promise<void> {
  const newest = await findNewestMoment(db)
  if (newest !== null) clock.continueFrom(newest)
}

/** Tells the log of each time that the machine's clock was set back. */
export function tellOfSetBack(log: Log): (step: SetBack) => void {
  return ({ behindMs, isKept }) => {
    if (isKept) log.warn({ behindMs }, 'the clock was set back: time goes on a tenth slower until it has caught up')
    else log.error({ behindMs }, 'the clock was set back by more than a day: what is stored lies in the future')
  }
}
