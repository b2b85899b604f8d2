import { SECOND } from '#contract/time.ts'
import type { Pool } from '#server/house/db/pool.ts'
import type { Log } from '#server/house/log.ts'
import { startLoop } from './loop.ts'

export type Workers = { wake(jobs: number): void }

type Waking = { queued: () => void; stop(): Promise<void> }

/** The interval of the query for jobs that another process queued or that have become due. */
const LOOK_EVERY_MS = SECOND
/** The interval at which jobs of a burst wake their workers together. */
const WAKE_EVERY_MS = 200
const MOST_DUE = 50

/** Wakes as many workers as jobs were queued: one at once, and the others of a burst together. */
export function wakeWorkers(pool: Pool, log: Log, hands: () => readonly Workers[]): Waking {
  let jobs = 0
  let timer: NodeJS.Timeout | undefined
  const wake = (count: number) => {
    for (const lane of hands()) {
      try {
        lane.wake(count)
      } catch (error) {
        // graphile-worker (0.17.3) throws if the worker has ended. The next query finds the jobs.
        log.debug({ error }, 'a lane that ends was not woken')
      }
    }
  }
  const wakeAll = () => {
    timer = undefined
    if (jobs === 0) return
    wake(jobs)
    jobs = 0
    timer = setTimeout(wakeAll, WAKE_EVERY_MS)
  }
  const look = startLoop(log, {
    name: 'jobs',
    everyMs: LOOK_EVERY_MS,
    work: async () => {
      const due = await countDue(pool)
      if (due > 0) wake(due)
    },
  })
  return {
    queued() {
      jobs += 1
      if (timer === undefined) wakeAll()
    },
    async stop() {
      clearTimeout(timer)
      await look.stop()
    },
  }
}

async function countDue(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'jobs-due',
    text: `SELECT count(*)::integer AS count FROM (SELECT FROM graphile_worker._private_jobs
      WHERE is_available AND run_at <= now() LIMIT ${MOST_DUE}) due`,
  })
  return rows[0]?.count ?? 0
}
