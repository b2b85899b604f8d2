import { transitions } from '#server/core/numbers/activations/state.ts'
import type { Db } from '#server/house/db/pool.ts'
import { OF_WORLD } from '#server/house/db/sandbox-sql.ts'
import { sqlList } from '#server/house/db/sql-list.ts'
import { releaseHolds } from '#server/house/money/settle-sql.ts'
import { type ActivationRow, COLUMNS, columnsOf, endTold, stateEvents } from './row.ts'

const CANCEL = `WITH ended AS (
    UPDATE activations SET state = 'cancelled', money = 'released', ended_at = $now, outcome_at = $now
    WHERE id = $id AND state IN (${sqlList(transitions.giveBack)}) AND created_at <= $createdBefore
    RETURNING ${COLUMNS}
  ), ${releaseHolds('ended')}, ${stateEvents('ended')}
  SELECT ended.* FROM ended WHERE ${endTold('ended')}`

/**
 * Cancels a waiting activation. Returns null if the activation is not waiting, or is too young for a cancel (created
 * after `createdBefore`).
 */
export async function endCancelled(
  db: Db,
  input: { id: bigint; createdBefore: Date; now: Date },
): Promise<ActivationRow | null> {
  const { rows } = await db.query<ActivationRow>({
    name: 'activation-end-cancelled',
    queuesJobs: true,
    text: CANCEL,
    values: input,
  })
  return rows[0] ?? null
}

const LIVE = `state IN (${sqlList(transitions.receive)})`

/**
 * SQL: true if an activation is overdue. Reads only the first index entry, however many activations wait. The index wants
 * IS NOT NULL, which PostgreSQL 17 drops for this column, so a comparison says the same.
 */
export const ANY_EXPIRED = `(SELECT min(expires_at) FROM activations WHERE ${LIVE} AND expires_at > '-infinity') <= $now`

/** Ends overdue activations: refunds those without a message, finishes those with one. `play` selects the sandbox. */
export async function endExpired(db: Db, input: { now: Date; limit: number; play: boolean }): Promise<ActivationRow[]> {
  const { rows } = await db.query<ActivationRow>({
    name: 'activation-end-expired',
    queuesJobs: true,
    text: `WITH due AS (
      SELECT id FROM activations
      WHERE expires_at <= $now AND ${LIVE} AND ${OF_WORLD}
      ORDER BY expires_at LIMIT $limit FOR UPDATE SKIP LOCKED
    ), ended AS (
      UPDATE activations a
      SET state = CASE WHEN a.state = 'waiting' THEN 'expired' ELSE 'finished' END,
          money = CASE WHEN a.state = 'waiting' THEN 'released' ELSE a.money END,
          ended_at = $now, outcome_at = COALESCE(a.outcome_at, $now)
      FROM due WHERE a.id = due.id
      RETURNING ${columnsOf('a')}
    ), unpaid AS (SELECT * FROM ended WHERE state = 'expired'),
    ${releaseHolds('unpaid')}, ${stateEvents('ended')}
    SELECT ended.* FROM ended WHERE ${endTold('ended')}`,
    values: input,
  })
  return rows
}

export async function finish(db: Db, input: { id: bigint; now: Date }): Promise<ActivationRow | null> {
  const { rows } = await db.query<ActivationRow>({
    name: 'activation-finish',
    queuesJobs: true,
    text: `WITH ended AS (
      UPDATE activations SET state = 'finished', ended_at = $now
      WHERE id = $id AND state IN (${sqlList(transitions.finish)})
      RETURNING ${COLUMNS}
    ), ${stateEvents('ended')}
    SELECT ended.* FROM ended WHERE ${endTold('ended')}`,
    values: input,
  })
  return rows[0] ?? null
}

export async function askAgain(db: Db, input: { id: bigint; now: Date }): Promise<ActivationRow | null> {
  const { rows } = await db.query<ActivationRow>({
    name: 'activation-again',
    text: `WITH asked AS (
      UPDATE activations SET state = 'waiting_again', again_asked_at = $now
      WHERE id = $id AND state IN (${sqlList(transitions.again)}) AND expires_at > $now
      RETURNING ${COLUMNS}
    ), ${stateEvents('asked')}
    SELECT * FROM asked`,
    values: input,
  })
  return rows[0] ?? null
}

/** Undoes a request for another code that the supplier refused, unless a message or another request came in between. */
export async function takeBackAgain(db: Db, input: { id: bigint; askedAt: Date }): Promise<void> {
  await db.query({
    name: 'activation-take-back-again',
    text: `UPDATE activations SET state = 'received' WHERE id = $id AND state = 'waiting_again' AND again_asked_at = $askedAt`,
    values: input,
  })
}
