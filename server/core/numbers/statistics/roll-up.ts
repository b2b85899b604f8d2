import { loadCatalog } from '#server/core/catalog/offers/load-catalog.ts'
import { recordOutcomes, type SupplierOutcome } from '#server/core/catalog/offers/outcome-queries.ts'
import { routeBookOf } from '#server/core/catalog/routing/route-book.ts'
import { judgeLosses } from '#server/core/catalog/standing/judge-losses.ts'
import { judgeShares } from '#server/core/catalog/standing/judge-shares.ts'
import { pauseLosers, pausePairs } from '#server/core/numbers/limits/pause-pairs.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Context } from '#server/house/context.ts'

/** Counts new outcomes of purchases and acts on them, for example pauses buyers. Runs each minute. */
export async function rollUp(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  const { counted, pairs, outcomes } = await recordOutcomes(ctx.db, now)
  for (const outcome of outcomes) {
    routeBookOf(ctx).note({ ...outcome, now })
    countOutcome(ctx, outcome)
  }
  await judgeLosses(ctx)
  if (counted === 0) return
  await loadCatalog(ctx)
  await pausePairs(ctx, pairs)
  await pauseLosers(ctx, pairs)
  const bought = outcomes.filter(({ rented }) => !rented)
  await judgeShares(ctx, [...new Set(bought.map(({ supplierId }) => supplierId))])
}

/** Rentals are left out, because each renter expects other messages of the number. */
function countOutcome(ctx: Context, { supplierId, purchases, codes, rented }: SupplierOutcome): void {
  const { metrics } = ctx
  const suppliers = suppliersOf(ctx)
  const supplier = suppliers.get(supplierId)?.code
  if (rented || supplier === undefined) return
  metrics.outcomes.inc({ supplier, result: 'code' }, codes)
  metrics.outcomes.inc({ supplier, result: 'no_code' }, purchases - codes)
}
