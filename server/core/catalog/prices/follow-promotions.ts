import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Context } from '#server/house/context.ts'
import { listFullPromotions } from '../rules/rule-queries.ts'

/** Stops promotions whose budget is used up, so that the regular price applies. Runs every second. */
export async function followPromotions(ctx: Pick<Context, 'db' | 'clock' | 'memory'>): Promise<void> {
  const ids = catalogOf(ctx).promotionIds()
  if (ids.length > 0) catalogOf(ctx).setFullPromotions(await listFullPromotions(ctx.db, { ids, now: ctx.clock.now() }))
}
