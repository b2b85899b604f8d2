import { DAY } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { directOptions, Pool } from '#server/house/db/pool.ts'
import { findCheckpoint } from '#server/house/money/checkpoints.ts'
import { verifyFromCheckpoint } from '#server/house/money/verify.ts'
import { cancelReading } from './queries.ts'
import { isWatching, setAlarm } from './set-alarm.ts'

/**
 * The check of the ledger reads in one transaction and writes its checkpoint in another, so it needs two connections.
 */
const MAX_CONNECTIONS = 2

export type BooksWatch = {
  look(): Promise<void>
  cancel(): Promise<void>
}

export function watchBooks(ctx: Context): BooksWatch {
  const applicationName = `${ctx.db.options.applicationName} books`
  let lookedAt: Date | null = null
  return {
    async look() {
      if (!isWatching(ctx)) return
      const now = ctx.clock.now()
      const { newest } = await findCheckpoint(ctx.db)
      const last = Math.max(lookedAt?.getTime() ?? 0, newest?.at.getTime() ?? 0)
      if (now.getTime() - last < DAY) return
      await using pool = new Pool({ ...directOptions(ctx.db), applicationName, maxConnections: MAX_CONNECTIONS })
      const { ok, checks } = await verifyFromCheckpoint(pool, { full: false, now, told: () => undefined })
      // A check that throws is repeated at the next run, not a day later.
      lookedAt = now
      const [first] = checks.flatMap(({ problems }) => problems)
      if (!ok) ctx.log.error({ problem: first }, 'the books are wrong')
      await setAlarm(ctx, { kind: 'books-wrong', about: first ?? '' }, !ok)
    },
    cancel: () => cancelReading(ctx.db, applicationName),
  }
}
