import { transitions } from '#server/core/numbers/rentals/state.ts'
import { raisesOrderHooks } from '#server/core/webhooks/queries/raise-sql.ts'
import type { Db } from '#server/house/db/pool.ts'
import { OF_WORLD } from '#server/house/db/sandbox-sql.ts'
import { sqlList } from '#server/house/db/sql-list.ts'
import { captureHolds, releaseHolds } from '#server/house/money/settle-sql.ts'
import { COLUMNS, endRentalTold, type RentalRow, rentalEvents, settleFirstCharge } from './row.ts'

const LIVE = `state IN (${sqlList(transitions.live)})`
/** SQL: true if a rental may end. An extension in progress prevents the end, because it may have been granted. */
const MAY_END = `${LIVE} AND extension_id IS NULL`

/**
 * Ends a rental that has no message and releases the money. Returns null if the rental may not end so. The state
 * `cancelled` is allowed only within the time for cancelling, and `revoked` at any time.
 */
export async function endUnused(
  db: Db,
  input: { id: bigint; state: 'cancelled' | 'revoked'; now: Date },
): Promise<RentalRow | null> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-end-unused',
    queuesJobs: true,
    text: `WITH ended AS (
      UPDATE rentals SET state = $state, ended_at = $now
      WHERE id = $id AND ${MAY_END} AND captured_at IS NULL AND ($state = 'revoked' OR cancel_until > $now)
      RETURNING ${COLUMNS}
    ), ${settleFirstCharge('ended', 'released')}, ${releaseHolds('settled', 'charge_id')},
    ${rentalEvents('ended')}
    SELECT ended.* FROM ended WHERE ${endRentalTold('ended')}`,
    values: input,
  })
  return rows[0] ?? null
}

export async function finishRented(db: Db, input: { id: bigint; now: Date }): Promise<RentalRow | null> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-finish',
    queuesJobs: true,
    text: `WITH ended AS (
      UPDATE rentals SET state = 'finished', ended_at = $now, captured_at = COALESCE(captured_at, $now)
      WHERE id = $id AND ${MAY_END} AND (captured_at IS NOT NULL OR cancel_until <= $now)
      RETURNING ${COLUMNS}
    ), ${settleFirstCharge('ended', 'captured')}, ${captureHolds('settled', 'charge_id')},
    ${rentalEvents('ended')}
    SELECT ended.* FROM ended WHERE ${endRentalTold('ended')}`,
    values: input,
  })
  return rows[0] ?? null
}

/** `play` selects sandbox rentals instead of real rentals. */
type Batch = { now: Date; limit: number; play: boolean }

const KEPT = `captured_at IS NULL AND ${LIVE}`
const UNWARNED = `warned_at IS NULL AND ${LIVE}`

/**
 * SQL: true if a sweep may find rentals to end, to capture or to warn of. Reads only the first entry of each index, as
 * `ANY_EXPIRED` does.
 */
export const ANY_RENTAL_DUE = `(SELECT min(expires_at) FROM rentals WHERE ${MAY_END} AND expires_at > '-infinity') <= $now
  OR (SELECT min(cancel_until) FROM rentals WHERE ${KEPT}) <= $now
  OR (SELECT min(warn_at) FROM rentals WHERE ${UNWARNED}) <= $now`

export async function expireRentals(db: Db, batch: Batch): Promise<RentalRow[]> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-expire',
    queuesJobs: true,
    text: `WITH due AS (
      SELECT id FROM rentals WHERE expires_at <= $now AND ${MAY_END} AND ${OF_WORLD}
      ORDER BY expires_at LIMIT $limit FOR UPDATE SKIP LOCKED
    ), ended AS (
      UPDATE rentals SET state = 'expired', ended_at = $now, captured_at = COALESCE(captured_at, $now)
      FROM due WHERE rentals.id = due.id
      RETURNING ${COLUMNS}
    ), ${settleFirstCharge('ended', 'captured')}, ${captureHolds('settled', 'charge_id')},
    ${rentalEvents('ended')}
    SELECT ended.* FROM ended WHERE ${endRentalTold('ended')}`,
    values: batch,
  })
  return rows
}

/** Captures the money of rentals without a message that can no longer be cancelled. */
export async function captureDue(db: Db, batch: Batch): Promise<RentalRow[]> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-capture-due',
    text: `WITH due AS (
      SELECT id FROM rentals WHERE cancel_until <= $now AND ${KEPT} AND ${OF_WORLD}
      ORDER BY cancel_until LIMIT $limit FOR UPDATE SKIP LOCKED
    ), kept AS (
      UPDATE rentals SET captured_at = $now FROM due WHERE rentals.id = due.id RETURNING ${COLUMNS}
    ), ${settleFirstCharge('kept', 'captured')}, ${captureHolds('settled', 'charge_id')}
    SELECT * FROM kept`,
    values: batch,
  })
  return rows
}

/** Marks rentals whose end is near, each only once, and returns them, so that their buyers are warned. */
export async function markWarned(db: Db, batch: Batch): Promise<RentalRow[]> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-mark-warned',
    text: `WITH due AS (
      SELECT id FROM rentals WHERE warn_at <= $now AND ${UNWARNED} AND expires_at > $now AND ${OF_WORLD}
      ORDER BY warn_at LIMIT $limit FOR UPDATE SKIP LOCKED
    ), warned AS (
      UPDATE rentals SET warned_at = $now FROM due WHERE rentals.id = due.id RETURNING ${COLUMNS}
    )
    SELECT * FROM warned o WHERE ${raisesOrderHooks('rental', { event: `'rental.ending'`, more: `'expires_at', o.expires_at` })}`,
    values: batch,
  })
  return rows
}
