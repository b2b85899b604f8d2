import type { Context } from '#server/house/context.ts'
import { sandboxFull } from '#server/house/errors/buying-errors.ts'
import { isSandbox, sandboxSupplyOf } from '#server/house/sandbox.ts'
import { playNumberLimitOf } from './play-number-limit.ts'
import { withinPlayRate } from './play-rate-limit.ts'
import { countPlayOpen, type PlayOpen } from './queries/play-open.ts'

/**
 * Calls `hold`, which holds the money and opens a number. A sandbox purchase must first pass the rate limit and get one
 * of the limited places; throws TOO_MANY_REQUESTS or SANDBOX_FULL. `replaces` means that the purchase ends another
 * number.
 */
export async function openNumber<Order>(
  ctx: Context,
  wanted: { userId: number; kind: PlayOpen['kind']; replaces: boolean },
  hold: () => Promise<Order | null>,
): Promise<Order | null> {
  const { supplierId } = sandboxSupplyOf(ctx)
  if (!isSandbox(ctx) || supplierId === null) return hold()
  const count = () => countPlayOpen(ctx.db, supplierId)
  return withinPlayRate(ctx, { userId: wanted.userId, full: sandboxFull }, () =>
    playNumberLimitOf(ctx).take(wanted, { now: ctx.clock.now(), count, hold }),
  )
}
