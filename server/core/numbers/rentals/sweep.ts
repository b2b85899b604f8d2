import { insertNotifications, type Raised } from '#server/core/notifications/queries/raise.ts'
import { type Batch, inBatches } from '#server/core/numbers/sourcing/in-batches.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { announceRental } from './announce.ts'
import { captureDue, expireRentals, markWarned } from './queries/end.ts'
import type { RentalRow } from './queries/row.ts'

const BATCH = 200

/**
 * Ends rentals, captures their money and warns of their end. Runs each second after `sweepExpired`, never beside it,
 * because both sweeps lock several accounts at once and could deadlock.
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

/** The notification is queued in the transaction that marks the rental as warned, so it is sent once. */
async function warn(ctx: Context, batch: Batch): Promise<RentalRow[]> {
  return transaction(ctx.db, async (tx) => {
    const now = ctx.clock.now()
    const rows = await markWarned(tx, { now, ...batch })
    const told = rows.flatMap((row) => (row.phone === null ? [] : [endingOf(row, row.phone)]))
    await insertNotifications(tx, told, now)
    return rows
  })
}

/** An extended rental has a new end, so the buyer is warned again. */
function endingOf({ id, user_id: userId, hours, country_id: countryId, expires_at }: RentalRow, phone: string): Raised {
  const until = expires_at.toISOString()
  const details = { phone, countryId, until, hours }
  return { userId, kind: 'rental-ending', details, link: '/rent', dedupeKey: `rental:${id}:${until}` }
}
