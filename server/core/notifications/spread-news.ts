import type { Context } from '#server/house/context.ts'
import { spreadNews } from './queries/news.ts'

const BATCH = 500

/**
 * Sends the oldest unfinished news item to the next users, and returns their number. Small batches let other jobs run.
 */
export function spreadOpenNews(ctx: Context): Promise<number> {
  return spreadNews(ctx.db, { now: ctx.clock.now(), limit: BATCH })
}
