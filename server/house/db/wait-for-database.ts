import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { isDatabaseAway } from './constraint.ts'

const PAUSE_MS = SECOND / 2
/** The longest time for which a start waits for a silent database: to connect, and for the answer to a statement. */
const SILENT_MS = 10 * SECOND
const DISK_FULL = '53100'

/** Calls `start` until the database answers, because it may still be booting. `start` must clean up when it throws. */
export async function waitForDatabase<T>(ctx: Context, start: () => Promise<T>): Promise<T> {
  const limitMs = ctx.config.databaseWaitSeconds * SECOND
  let until: number | null = null
  let told = false
  for (;;) {
    const begun = performance.now()
    try {
      return await start()
    } catch (error) {
      const now = performance.now()
      // The start of a stand-by, which lasts longer, had found the database.
      if (until === null || now - begun > Math.max(limitMs, SILENT_MS)) until = now + limitMs
      if (!comesBack(error) || now >= until) throw error
      if (!told)
        ctx.log.warn({ reason: String(error), limitMs }, 'the database cannot be used yet: the start waits for it')
      told = true
      await wait(PAUSE_MS)
    }
  }
}

/** Returns true if waiting for the database can help. A full disk does not empty itself. */
function comesBack(error: unknown): boolean {
  if (error instanceof pg.DatabaseError && error.code === DISK_FULL) return false
  return isDatabaseAway(error)
}
