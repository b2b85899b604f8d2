import { insertNotifications, type Raised } from '#server/core/notifications/queries/raise.ts'
import { type Batch, inBatches } from '#server/core/numbers/sourcing/in-batches.ts'
import {
  giveUpAll,
  type Orphans,
  RESERVED_LIMIT_MS,
  reservationsOf,
  settleAll,
  walkOrphans,
} from '#server/core/numbers/sourcing/settle-orphans.ts'
import { rentingOf } from '#server/core/numbers/sourcing/under-way.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { announceRental } from './announce.ts'
import { askExtension } from './ask-extension.ts'
import { RENTAL_ORDER } from './order.ts'
import { captureDue, expireRentals, markWarned } from './queries/end.ts'
import { type ExtendedRental, listOpenExtensions, releaseExtension } from './queries/extend.ts'
import { findAnyRental } from './queries/read.ts'
import type { RentalRow } from './queries/row.ts'
import { EXTENSION_LIMIT_MS } from './state.ts'

const BATCH = 200

/**
 * Ends, captures and warns what is due. Runs each second, after `sweepExpired` and never beside it: both lock several
 * accounts in one statement.
 */
export async function sweepRentals(ctx: Context): Promise<{ expired: number; captured: number; warned: number }> {
  const sweep = (take: (batch: Batch) => Promise<RentalRow[]>) =>
    inBatches(BATCH, take, (row) => announceRental(ctx, row, { paid: false }))
  return {
    expired: await sweep((batch) => expireRentals(ctx.db, { now: ctx.clock.now(), ...batch })),
    captured: await sweep((batch) => captureDue(ctx.db, { now: ctx.clock.now(), ...batch })),
    warned: await sweep((batch) => warn(ctx, batch)),
  }
}

/** Told with the mark, so that it is told once. */
async function warn(ctx: Context, batch: Batch): Promise<RentalRow[]> {
  return transaction(ctx.db, async (tx) => {
    const now = ctx.clock.now()
    const rows = await markWarned(tx, { now, ...batch })
    const told = rows.flatMap((row) => (row.phone === null ? [] : [endingOf(row, row.phone)]))
    await insertNotifications(tx, told, now)
    return rows
  })
}

/** An extended rental has another end, and is told of anew. */
function endingOf({ id, user_id: userId, hours, country_id: countryId, expires_at }: RentalRow, phone: string): Raised {
  const until = expires_at.toISOString()
  const details = { phone, countryId, until, hours }
  return { userId, kind: 'rental-ending', details, link: '/rent', dedupeKey: `rental:${id}:${until}` }
}

/** As `claimOrphans` of activations. */
export async function claimRentalOrphans(ctx: Context): Promise<void> {
  const all = walkOrphans(reservationsOf(ctx, RENTAL_ORDER))
  for await (const rows of all) for (const row of rows) rentingOf(ctx).add(row.id)
}

/** At start: rentals and extensions that an earlier process left open. Returns how many. */
export async function settleRentalOrphans(ctx: Context): Promise<number> {
  const all = () => true
  return (await settleAll(reservationsOf(ctx, RENTAL_ORDER), all)) + (await settleAll(extensionsOf(ctx), all))
}

/** The same beside rentals and extensions under way, every few seconds. */
export async function sweepRenting(ctx: Context): Promise<number> {
  const left = rentingOf(ctx).leftBehind(ctx.clock)
  return (await settleAll(reservationsOf(ctx, RENTAL_ORDER), left)) + (await settleAll(extensionsOf(ctx), left))
}

/** As `giveUpReserving`, and extensions without an answer. */
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
      const rentals = await listOpenExtensions(ctx.db, input)
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
      if (!(await releaseExtension(ctx.db, { rentalId: id, chargeId, now: ctx.clock.now(), abandon: true })))
        return null
      await announceNow(ctx, rental)
      return rental
    },
  }
}
