import { ACTIVATION_ORDER } from '#server/core/numbers/activations/order.ts'
import { reservingOf } from '#server/core/numbers/sourcing/under-way.ts'
import type { Context } from '#server/house/context.ts'
import { giveUpAll, RESERVED_LIMIT_MS, reservationsOf, settleAll, walkOrphans } from './settle-orphans.ts'

/** Claims orphans before suppliers connect, so that messages wait until `settleOrphans` knows who got the numbers. */
export async function claimOrphans(ctx: Context): Promise<void> {
  const all = walkOrphans(reservationsOf(ctx, ACTIVATION_ORDER))
  for await (const rows of all) for (const row of rows) reservingOf(ctx).add(row.id)
}

/**
 * Settles, before the first purchase, reservations left by a crash. Returns how many. `sweepReserving` does the rest.
 */
export async function settleOrphans(ctx: Context): Promise<number> {
  return settleAll(reservationsOf(ctx, ACTIVATION_ORDER), () => true)
}

/** Settles orphans while purchases go on. Runs every few seconds. */
export async function sweepReserving(ctx: Context): Promise<number> {
  return settleAll(reservationsOf(ctx, ACTIVATION_ORDER), reservingOf(ctx).leftBehind(ctx.clock))
}

/** Releases old reservations; a job queries on. Returns how many. Runs beside `sweepReserving`, which may wait. */
export async function giveUpReserving(ctx: Context): Promise<number> {
  return giveUpAll(ctx, reservationsOf(ctx, ACTIVATION_ORDER), RESERVED_LIMIT_MS)
}
