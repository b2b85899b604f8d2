import type { Context } from '#server/house/context.ts'
import { sandboxFull } from '#server/house/errors/buying-errors.ts'
import { isSandbox, sandboxSupplyOf } from '#server/house/sandbox-world.ts'
import { playRoomOf } from './play-room.ts'
import { inPlayTurn } from './play-turns.ts'
import { countPlayOpen, type PlayOpen } from './queries/play-open.ts'

/**
 * Opens a number by `hold`, which holds the money. In the sandbox it takes a turn and a place first. `replaces`: another ends
 * with it. Throws TOO_MANY_REQUESTS and SANDBOX_FULL there.
 */
export async function openNumber<Order>(
  ctx: Context,
  wanted: { userId: number; kind: PlayOpen['kind']; replaces: boolean },
  hold: () => Promise<Order | null>,
): Promise<Order | null> {
  const { supplierId } = sandboxSupplyOf(ctx)
  if (!isSandbox(ctx) || supplierId === null) return hold()
  const count = () => countPlayOpen(ctx.db, supplierId)
  return inPlayTurn(ctx, { userId: wanted.userId, full: sandboxFull }, () =>
    playRoomOf(ctx).take(wanted, { now: ctx.clock.now(), count, hold }),
  )
}
