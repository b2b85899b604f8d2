import type { Context } from '#server/context.ts'
import { inBatches } from '#server/numbers/sourcing/in-batches.ts'
import {
  giveUpAll,
  RESERVED_LIMIT_MS,
  reservationsOf,
  settleAll,
  walkOrphans,
} from '#server/numbers/sourcing/settle-orphans.ts'
import { announceChange } from './announce.ts'
import { ACTIVATION_ORDER } from './order.ts'
import { endExpired } from './queries/end.ts'

const EXPIRY_BATCH = 500

/** Ends every activation whose time is over. Returns how many. Run each second. */
export async function sweepExpired(ctx: Context): Promise<number> {
  return inBatches(
    EXPIRY_BATCH,
    (limit) => endExpired(ctx.db, { now: ctx.clock.now(), limit }),
    (row) => announceChange(ctx, row),
  )
}

/**
 * At start, before suppliers connect: messages that come with the first connection wait until it is known whose number
 * an orphan became. `settleOrphans` then lets go of them.
 */
export async function claimOrphans(ctx: Context): Promise<void> {
  const all = walkOrphans(reservationsOf(ctx, ACTIVATION_ORDER))
  for await (const rows of all) for (const row of rows) ctx.reserving.add(row.id)
}

/**
 * At start, before this process buys anything: whatever is in `reserving` was left behind by a crash, and is settled now.
 * Returns how many. What cannot be settled, because its supplier gives no answer, is taken up by `sweepReserving`.
 */
export async function settleOrphans(ctx: Context): Promise<number> {
  return settleAll(reservationsOf(ctx, ACTIVATION_ORDER), () => true)
}

/** The same while the service runs, with purchases under way. Run every few seconds. */
export async function sweepReserving(ctx: Context): Promise<number> {
  return settleAll(reservationsOf(ctx, ACTIVATION_ORDER), ctx.reserving.leftBehind(ctx.clock))
}

/**
 * Gives up what has been `reserving` for too long: the money is released, and a job goes on asking the supplier. Returns how
 * many. Run each second, beside `sweepReserving`, which may wait for suppliers.
 */
export async function giveUpReserving(ctx: Context): Promise<number> {
  return giveUpAll(ctx, reservationsOf(ctx, ACTIVATION_ORDER), RESERVED_LIMIT_MS)
}
