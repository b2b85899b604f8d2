import { announceRental } from '#server/core/numbers/rentals/announce.ts'
import { askExtension } from '#server/core/numbers/rentals/ask-extension.ts'
import { RENTAL_ORDER } from '#server/core/numbers/rentals/order.ts'
import {
  type ExtendedRental,
  listOpenExtensions,
  releaseExtension,
} from '#server/core/numbers/rentals/queries/extend.ts'
import { findAnyRental } from '#server/core/numbers/rentals/queries/read.ts'
import type { RentalRow } from '#server/core/numbers/rentals/queries/row.ts'
import { EXTENSION_LIMIT_MS } from '#server/core/numbers/rentals/times.ts'
import { rentingOf } from '#server/core/numbers/sourcing/under-way.ts'
import type { Context } from '#server/house/context.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { giveUpAll, type Orphans, RESERVED_LIMIT_MS, reservationsOf, settleAll, walkOrphans } from './settle-orphans.ts'

/** Marks unsettled rentals as in progress before suppliers connect, as `claimOrphans` does for activations. */
export async function claimRentalOrphans(ctx: Context): Promise<void> {
  const all = walkOrphans(reservationsOf(ctx, RENTAL_ORDER))
  for await (const rows of all) for (const row of rows) rentingOf(ctx).add(row.id)
}

/** Settles, at start, rentals and extensions that an earlier process left unsettled. Returns how many. */
export async function settleRentalOrphans(ctx: Context): Promise<number> {
  const all = () => true
  return (await settleAll(reservationsOf(ctx, RENTAL_ORDER), all)) + (await settleAll(extensionsOf(ctx), all))
}

/** Settles rentals and extensions that no process works on, beside running purchases, every few seconds. */
export async function sweepRenting(ctx: Context): Promise<number> {
  const left = rentingOf(ctx).leftBehind(ctx.clock)
  return (await settleAll(reservationsOf(ctx, RENTAL_ORDER), left)) + (await settleAll(extensionsOf(ctx), left))
}

/**
 * Releases the money of old unsettled rentals and extensions. Afterwards a job asks the supplier for their outcome.
 * Returns how many were released.
 */
export async function giveUpRenting(ctx: Context): Promise<number> {
  const rentals = await giveUpAll(ctx, reservationsOf(ctx, RENTAL_ORDER), RESERVED_LIMIT_MS)
  return rentals + (await giveUpAll(ctx, extensionsOf(ctx), EXTENSION_LIMIT_MS))
}

async function announceNow(ctx: Context, { id }: RentalRow): Promise<void> {
  const row = await findAnyRental(ctx.db, id)
  if (row !== null) await announceRental(ctx, row, { paid: true })
}

type OpenExtension = { id: bigint; supplier_id: number; created_at: Date; rental: ExtendedRental }

function extensionsOf(ctx: Context): Orphans<OpenExtension> {
  return {
    underWay: rentingOf(ctx),
    async list(input) {
      const rentals = await listOpenExtensions(ctx.db, { ...input, nodeId: nodeOf(ctx).id })
      return rentals.map((rental) => ({ ...rental, created_at: rental.asked_at, rental }))
    },
    async settle({ rental }, silent) {
      if (silent.has(rental.supplier_id)) return 'open'
      if ((await askExtension(ctx, rental)) === 'open') return 'open'
      await announceNow(ctx, rental)
      return 'answered'
    },
    async giveUp({ rental }) {
      const { id, extension_id: chargeId } = rental
      const released = { rentalId: id, chargeId, nodeId: nodeOf(ctx).id, now: ctx.clock.now(), abandon: true }
      if (!(await releaseExtension(ctx.db, released))) return null
      await announceNow(ctx, rental)
      return rental
    },
  }
}
