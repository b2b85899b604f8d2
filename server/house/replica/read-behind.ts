import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { Caller } from '#server/house/http/caller.ts'

/**
 * Runs reads at a stand-by, if this caller may see what is two seconds old. Otherwise, and if the stand-by fails, runs
 * them at the primary. So `work` may run twice, and must only read.
 */
export async function readBehind<T>(
  ctx: Context,
  { mayLag = false, member }: Pick<Caller, 'mayLag' | 'member'>,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const { replica, metrics } = ctx
  if (replica === null) return work(ctx.db)
  const standBy = mayLag ? replica.choose(member?.userId ?? 0) : undefined
  if (standBy !== undefined) {
    try {
      const found = await standBy.read(replica.renewals, () => ctx.clock.now(), work)
      metrics.replicaReads.inc({ at: 'stand_by' })
      return found
    } catch (error) {
      if (!standBy.failed(error)) throw error
      ctx.log.debug({ error, standBy: standBy.place }, 'a read at a stand-by failed: the primary is read')
    }
  }
  metrics.replicaReads.inc({ at: 'primary' })
  return work(ctx.db)
}
