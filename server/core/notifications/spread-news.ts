import type { Context } from '#server/house/context.ts'
import { spreadNews } from './queries/news.ts'

const BATCH = 500

/** Slowly, so that other jobs run in between. */
export function spreadOpenNews(ctx: Context): Promise<number> {
  return spreadNews(ctx.db, { now: ctx.clock.now(), limit: BATCH })
}
