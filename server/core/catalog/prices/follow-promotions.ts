import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Context } from '#server/house/context.ts'
import { listFullPromotions } from '../rules/rule-queries.ts'

/**
 * Replaces the price of a full promotion by the regular price, until the promotion has room again. Runs every second.
 */
export async function followPromotions(ctx: Pick<Context, 'db' | 'clock' | 'memory'>): Promise<void> {
  const ids = catalogOf(ctx).promotionIds()
  if (ids.length > 0) catalogOf(ctx).setFullPromotions(await listFullPromotions(ctx.db, { ids, now: ctx.clock.now() }))
}
