import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Context } from '#server/house/context.ts'
import { listFullPromotions } from '../rules/rule-queries.ts'

/** A full promotion gives way to the price that would hold without it, until it has room again. Runs each second. */
export async function followPromotions(ctx: Pick<Context, 'db' | 'clock' | 'memory'>): Promise<void> {
  const ids = catalogOf(ctx).promotionIds()
  if (ids.length > 0) catalogOf(ctx).setFullPromotions(await listFullPromotions(ctx.db, { ids, now: ctx.clock.now() }))
}
