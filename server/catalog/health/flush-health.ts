import type { Context } from '#server/context.ts'
import { addCallLines } from './queries/calls.ts'
import { storeSeen } from './queries/standings.ts'

/** Writes what was counted since the last time. What cannot be written is lost: these are figures to look at. */
export async function flushHealth(ctx: Context): Promise<void> {
  const lines = ctx.health.calls.takeAll()
  const seen = ctx.health.takeSeen()
  if (lines.length > 0) await addCallLines(ctx.db, lines)
  if (seen.supplierIds.length > 0) await storeSeen(ctx.db, seen)
}
