import type { Context } from '#server/house/context.ts'
import { countUnsettled } from './queries/unsettled.ts'

/** Sets the gauges of held money with an unknown outcome. While the database is away they are empty, never outdated. */
export async function measureUnsettled(ctx: Context): Promise<void> {
  const { unsettled, unsettledOldest } = ctx.metrics
  const nowMs = ctx.clock.now().getTime()
  try {
    for (const { kind, number, oldest } of await countUnsettled(ctx.db)) {
      unsettled.set({ kind }, Number(number))
      unsettledOldest.set({ kind }, oldest === null ? 0 : Math.max(0, nowMs - oldest.getTime()) / 1000)
    }
  } catch (error) {
    unsettled.reset()
    unsettledOldest.reset()
    ctx.log.debug({ error }, 'what is unsettled could not be counted')
  }
}
