import type { Locale } from '#contract/constants.ts'
import type { Db } from '#server/db/pool.ts'
import { sqlList } from '#server/db/sql-list.ts'
import { captureHolds, releaseHolds } from '#server/money/settle-sql.ts'
import { transitions } from '#server/numbers/rentals/state.ts'
import { COLUMNS, endRentalJobs, type RentalRow, rentalEvents, settleFirstCharge } from './row.ts'

const LIVE = `state IN (${sqlList(transitions.live)})`
/** An extension that is under way may have been granted: until that is known, nothing ends. */
const MAY_END = `${LIVE} AND extension_id IS NULL`

/** Ends a rental that no message came for yet, and releases the money. `cancelled`: only while it can be cancelled. */
export async function endUnused(
  db: Db,
  input: { id: bigint; state: 'cancelled' | 'revoked'; now: Date },
): Promise<RentalRow | null> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-end-unused',
    text: `WITH ended AS (
      UPDATE rentals SET state = $2, ended_at = $3
      WHERE id = $1 AND ${MAY_END} AND captured_at IS NULL AND ($2 = 'revoked' OR cancel_until > $3)
      RETURNING ${COLUMNS}
    ), ${settleFirstCharge('ended', 'released', '$3')}, ${releaseHolds('settled', '$3', 'charge_id')},
    ${rentalEvents('ended', '$3')}, ${endRentalJobs('ended')}
    SELECT ended.* FROM ended WHERE (SELECT count(*) FROM end_job) >= 0`,
    values: [input.id, input.state, input.now],
  })
  return rows[0] ?? null
}

/** Ends a rental that cannot be cancelled any more; what is still held is captured. */
export async function finishRented(db: Db, input: { id: bigint; now: Date }): Promise<RentalRow | null> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-finish',
    text: `WITH ended AS (
      UPDATE rentals SET state = 'finished', ended_at = $2, captured_at = COALESCE(captured_at, $2)
      WHERE id = $1 AND ${MAY_END} AND (captured_at IS NOT NULL OR cancel_until <= $2)
      RETURNING ${COLUMNS}
    ), ${settleFirstCharge('ended', 'captured', '$2')}, ${captureHolds('settled', '$2', 'charge_id')},
    ${rentalEvents('ended', '$2')}, ${endRentalJobs('ended')}
    SELECT ended.* FROM ended WHERE (SELECT count(*) FROM end_job) >= 0`,
    values: [input.id, input.now],
  })
  return rows[0] ?? null
}

type Batch = { now: Date; limit: number }

/** Ends up to `limit` rentals whose time is over. */
export async function expireRentals(db: Db, { now, limit }: Batch): Promise<RentalRow[]> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-expire',
    text: `WITH due AS (
      SELECT id FROM rentals WHERE expires_at <= $1 AND ${MAY_END} ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ), ended AS (
      UPDATE rentals SET state = 'expired', ended_at = $1, captured_at = COALESCE(captured_at, $1)
      FROM due WHERE rentals.id = due.id
      RETURNING ${COLUMNS}
    ), ${settleFirstCharge('ended', 'captured', '$1')}, ${captureHolds('settled', '$1', 'charge_id')},
    ${rentalEvents('ended', '$1')}, ${endRentalJobs('ended')}
    SELECT ended.* FROM ended WHERE (SELECT count(*) FROM end_job) >= 0`,
    values: [now, limit],
  })
  return rows
}

/** Captures the price of up to `limit` rentals that cannot be cancelled any more, though no message has come. */
export async function captureDue(db: Db, { now, limit }: Batch): Promise<RentalRow[]> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-capture-due',
    text: `WITH due AS (
      SELECT id FROM rentals WHERE cancel_until <= $1 AND captured_at IS NULL AND ${LIVE}
      ORDER BY cancel_until LIMIT $2 FOR UPDATE SKIP LOCKED
    ), kept AS (
      UPDATE rentals SET captured_at = $1 FROM due WHERE rentals.id = due.id RETURNING ${COLUMNS}
    ), ${settleFirstCharge('kept', 'captured', '$1')}, ${captureHolds('settled', '$1', 'charge_id')}
    SELECT * FROM kept`,
    values: [now, limit],
  })
  return rows
}

export type WarnedRental = RentalRow & { email: string | null; locale: Locale }

/** Marks up to `limit` rentals whose end is near as told of, each once, with whom to tell. */
export async function markWarned(db: Db, { now, limit }: Batch): Promise<WarnedRental[]> {
  const { rows } = await db.query<WarnedRental>({
    name: 'rental-mark-warned',
    text: `WITH due AS (
      SELECT id FROM rentals WHERE warn_at <= $1 AND warned_at IS NULL AND expires_at > $1 AND ${LIVE}
      ORDER BY warn_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ), warned AS (
      UPDATE rentals SET warned_at = $1 FROM due WHERE rentals.id = due.id RETURNING ${COLUMNS}
    )
    SELECT warned.*, users.email, users.locale FROM warned JOIN users ON users.id = warned.user_id`,
    values: [now, limit],
  })
  return rows
}
