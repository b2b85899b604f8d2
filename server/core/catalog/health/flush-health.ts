import type { Context } from '#server/house/context.ts'
import { healthBookOf } from './health-book.ts'
import { addCallLines } from './queries/calls.ts'
import { addReusedIds } from './queries/reused-ids.ts'
import { storeSeen } from './queries/standings.ts'

/**
 * Stores each supplier's calls, reused message ids, last message time and stock since the last flush. If a write fails,
 * its data is lost, because it serves only as statistics.
 */
export async function flushHealth(ctx: Context): Promise<void> {
  const lines = healthBookOf(ctx).calls.takeAll()
  const reused = healthBookOf(ctx).reusedIds.takeAll()
  const seen = healthBookOf(ctx).takeSeen()
  if (lines.length > 0) await addCallLines(ctx.db, lines)
  if (reused.length > 0) await addReusedIds(ctx.db, reused)
  if (seen.supplierIds.length > 0) await storeSeen(ctx.db, seen)
}
