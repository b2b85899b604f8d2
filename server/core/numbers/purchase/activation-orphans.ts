import { ACTIVATION_ORDER } from '#server/core/numbers/activations/order.ts'
import { reservingOf } from '#server/core/numbers/sourcing/under-way.ts'
import type { Context } from '#server/house/context.ts'
import { giveUpAll, RESERVED_LIMIT_MS, reservationsOf, settleAll, walkOrphans } from './settle-orphans.ts'

/**
 * Marks unsettled reservations as in progress before suppliers connect, so that messages wait until `settleOrphans`
 * knows who got the numbers.
 */
export async function claimOrphans(ctx: Context): Promise<void> {
  const all = walkOrphans(reservationsOf(ctx, ACTIVATION_ORDER))
  for await (const rows of all) for (const row of rows) reservingOf(ctx).add(row.id)
}

/** Settles, before the first purchase, reservations that a crash left. Returns how many; a sweep settles the rest. */
export async function settleOrphans(ctx: Context): Promise<number> {
  return settleAll(reservationsOf(ctx, ACTIVATION_ORDER), () => true)
}

/** Settles reservations that have no process at work on them, beside running purchases. Runs every few seconds. */
export async function sweepReserving(ctx: Context): Promise<number> {
  return settleAll(reservationsOf(ctx, ACTIVATION_ORDER), reservingOf(ctx).leftBehind(ctx.clock))
}

/**
 * Releases the money of old reservations. Afterwards a job asks the supplier for their outcome. Returns how many were
 * released. Runs beside `sweepReserving`, which may wait for suppliers.
 */
export async function giveUpReserving(ctx: Context): Promise<number> {
  return giveUpAll(ctx, reservationsOf(ctx, ACTIVATION_ORDER), RESERVED_LIMIT_MS)
}
