import type { Context } from '#server/context.ts'
import { listFullPromotions } from './rule-queries.ts'

/** A full promotion gives way to the price that would hold without it, until it has room again. Runs each second. */
export async function followPromotions(ctx: Pick<Context, 'db' | 'clock' | 'catalog'>): Promise<void> {
  const ids = ctx.catalog.promotionIds()
  if (ids.length > 0) ctx.catalog.setFullPromotions(await listFullPromotions(ctx.db, { ids, now: ctx.clock.now() }))
}
