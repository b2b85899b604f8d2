import type { Context } from '#server/house/context.ts'
import { healthBookOf } from '../health/health-book.ts'
import { listStandings } from '../health/queries/standings.ts'
import { showStandings } from './show-standings.ts'

export async function loadHealth(ctx: Context): Promise<void> {
  healthBookOf(ctx).load(await listStandings(ctx.db))
  showStandings(ctx)
}
