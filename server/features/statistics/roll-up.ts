import type { Context } from '#server/context.ts'
import { loadCatalog } from '#server/features/catalog/load-catalog.ts'
import { recordOutcomes } from '#server/features/catalog/outcome-queries.ts'
import { pausePairs } from '#server/features/limits/pause-pairs.ts'

/**
 * Counts what became known since the last time, shows it in the catalogue, and pauses what an account buys in vain.
 * Run each minute.
 */
export async function rollUp(ctx: Context): Promise<void> {
  const { counted, pairs } = await recordOutcomes(ctx.db, ctx.clock.now())
  if (counted === 0) return
  await loadCatalog(ctx)
  await pausePairs(ctx, pairs)
}
