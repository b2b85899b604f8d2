import type { Context } from '#server/house/context.ts'
import { countUnsettled } from './queries/unsettled.ts'

/**
 * Sets the gauges of held money whose order has an unknown outcome. If the database cannot be reached, the gauges are
 * empty, because an outdated value would mislead.
 */
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
