import type { ServiceClock, SetBack } from '#server/house/clock.ts'
import { findNewestMoment } from '#server/house/db/newest-moment.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { Log } from '#server/house/log.ts'

/** Continues the service's clock from the newest stored time, even if the machine's clock was set back since. */
export async function continueTime(clock: ServiceClock, db: Db): Promise<void> {
  clock.continueFrom(await findNewestMoment(db))
}

export function tellOfSetBack(log: Log): (step: SetBack) => void {
  return ({ behindMs, isKept }) => {
    if (isKept) log.warn({ behindMs }, 'the clock was set back: time goes on a tenth slower until it has caught up')
    else log.error({ behindMs }, 'the clock was set back by more than a day: what is stored lies in the future')
  }
}
