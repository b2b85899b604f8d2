import type { Context } from '#server/house/context.ts'
import { spreadNews } from './queries/news.ts'

const BATCH = 500

/** Sends news in small batches, so that other jobs get their turn. */
export function spreadOpenNews(ctx: Context): Promise<number> {
  return spreadNews(ctx.db, { now: ctx.clock.now(), limit: BATCH })
}
