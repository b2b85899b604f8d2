import { judgeLosses } from '#server/catalog/health/judge-losses.ts'
import { judgeShares } from '#server/catalog/health/judge-shares.ts'
import { loadCatalog } from '#server/catalog/offers/load-catalog.ts'
import { recordOutcomes } from '#server/catalog/offers/outcome-queries.ts'
import type { Context } from '#server/context.ts'
import { pauseLosers, pausePairs } from '#server/numbers/limits/pause-pairs.ts'

/** Runs each minute. */
export async function rollUp(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  const { counted, pairs, outcomes } = await recordOutcomes(ctx.db, now)
  for (const outcome of outcomes) ctx.routes.note({ ...outcome, now })
  await judgeLosses(ctx)
  if (counted === 0) return
  await loadCatalog(ctx)
  await pausePairs(ctx, pairs)
  await pauseLosers(ctx, pairs)
  const bought = outcomes.filter(({ rented }) => !rented)
  await judgeShares(ctx, [...new Set(bought.map(({ supplierId }) => supplierId))])
}
