import type { Context } from '#server/context.ts'
import { listStandings } from './queries/standings.ts'
import { showStandings } from './show-standings.ts'

/** At start, and after each change by hand. */
export async function loadHealth(ctx: Context): Promise<void> {
  ctx.health.load(await listStandings(ctx.db))
  showStandings(ctx)
}
