import type { Currency } from '#contract/money.ts'
import type { DeletionWait } from '#contract/privacy.ts'
import type { Db } from '#server/house/db/pool.ts'

export type DeletionRow = {
  id: bigint
  user_id: number
  state: 'waiting' | 'cancelled' | 'erasing' | 'erased'
  asked_by: 'owner' | 'staff'
  gives_up_micros: bigint
  asked_at: Date
  due_at: Date
  reminded_at: Date | null
  ended_at: Date | null
}

const COLUMNS = 'id, user_id, state, asked_by, gives_up_micros, asked_at, due_at, reminded_at, ended_at'

/** Stores a deletion, or changes the existing one (`isNew` is false). Returns null if erasing has begun. */
export async function storeDeletion(
  db: Db,
  input: {
    userId: number
    askedBy: DeletionRow['asked_by']
    givesUpMicros: bigint
    now: Date
    dueAt: Date
    lookAt: Date
  },
): Promise<(DeletionRow & { is_new: boolean }) | null> {
  const { rows } = await db.query<DeletionRow & { is_new: boolean }>({
    name: 'deletion-store',
    text: `INSERT INTO account_deletions AS d (user_id, asked_by, gives_up_micros, asked_at, due_at, look_at)
      VALUES ($userId, $askedBy, $givesUpMicros, $now, $dueAt, $lookAt)
      ON CONFLICT (user_id) WHERE state <> 'cancelled' DO UPDATE
        SET gives_up_micros = CASE WHEN d.is_guest THEN d.gives_up_micros ELSE excluded.gives_up_micros END,
          due_at = LEAST(d.due_at, excluded.due_at),
          look_at = LEAST(d.look_at, excluded.look_at)
        WHERE d.state = 'waiting'
      RETURNING ${COLUMNS}, xmax = 0 AS is_new`,
    values: input,
  })
  return rows[0] ?? null
}

export async function cancelDeletionOf(db: Db, input: { userId: number; now: Date }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'deletion-cancel',
    text: `UPDATE account_deletions SET state = 'cancelled', ended_at = $2, look_at = NULL
      WHERE user_id = $1 AND state = 'waiting' AND NOT is_guest`,
    values: [input.userId, input.now],
  })
  return rowCount === 1
}

export async function findDeletion(db: Db, userId: number): Promise<DeletionRow | null> {
  const { rows } = await db.query<DeletionRow>({
    name: 'deletion-find',
    text: `SELECT ${COLUMNS} FROM account_deletions WHERE user_id = $1 AND state = 'waiting'`,
    values: [userId],
  })
  return rows[0] ?? null
}

export async function listDueDeletions(db: Db, input: { now: Date; limit: number }): Promise<DeletionRow[]> {
  const { rows } = await db.query<DeletionRow>({
    name: 'deletion-due',
    text: `SELECT ${COLUMNS} FROM account_deletions WHERE look_at <= $1 ORDER BY look_at LIMIT $2`,
    values: [input.now, input.limit],
  })
  return rows
}

/** Locks a deletion until the end of the transaction. Returns null if the deletion's state is not `state`. */
export async function lockDeletion(
  tx: Db,
  input: { id: bigint; state: DeletionRow['state'] },
): Promise<DeletionRow | null> {
  const { rows } = await tx.query<DeletionRow>({
    name: 'deletion-lock',
    text: `SELECT ${COLUMNS} FROM account_deletions WHERE id = $1 AND state = $2 FOR UPDATE`,
    values: [input.id, input.state],
  })
  return rows[0] ?? null
}

export async function lookLater(db: Db, input: { id: bigint; lookAt: Date }): Promise<void> {
  await db.query({
    name: 'deletion-later',
    text: 'UPDATE account_deletions SET look_at = $2 WHERE id = $1 AND look_at IS NOT NULL',
    values: [input.id, input.lookAt],
  })
}

export async function noteReminded(tx: Db, input: { id: bigint; now: Date; lookAt: Date }): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'deletion-reminded',
    text: `UPDATE account_deletions SET reminded_at = $now, look_at = $lookAt
      WHERE id = $id AND state = 'waiting' AND reminded_at IS NULL`,
    values: input,
  })
  return rowCount === 1
}

export async function setDeletionState(
  tx: Db,
  input: { id: bigint; state: 'erasing' | 'erased'; now: Date; lookAt: Date | null },
): Promise<void> {
  await tx.query({
    name: 'deletion-state',
    text: `UPDATE account_deletions SET state = $state, look_at = $lookAt,
        ended_at = CASE WHEN $state = 'erasing' THEN $now::timestamptz ELSE ended_at END
      WHERE id = $id`,
    values: input,
  })
}

export type OpenMatters = { waitsFor: DeletionWait[]; leftMicros: bigint; currency: Currency }

type OpenRow = { [Wait in DeletionWait]: boolean } & { left_micros: bigint; currency: Currency }

/**
 * Returns what keeps an account from being deleted. `givesUpMicros` is the balance that the user agreed to lose. A
 * guest's ticket keeps nothing, because after the day nobody could read its answer.
 */
export async function findOpenMatters(db: Db, input: { userId: number; givesUpMicros: bigint }): Promise<OpenMatters> {
  const { rows } = await db.query<OpenRow>({
    name: 'deletion-open',
    text: `SELECT
        EXISTS (SELECT FROM activations WHERE user_id = $userId
          AND state IN ('reserving', 'waiting', 'received', 'waiting_again')) AS activations,
        EXISTS (SELECT FROM rentals WHERE user_id = $userId AND state IN ('reserving', 'active')) AS rentals,
        EXISTS (SELECT FROM preorders WHERE user_id = $userId AND state IN ('waiting', 'buying')) AS preorders,
        EXISTS (SELECT FROM payments WHERE user_id = $userId AND state IN ('created', 'pending', 'confirming')) AS payments,
        EXISTS (SELECT FROM payments p JOIN reversals r ON r.payment_id = p.id
          WHERE p.user_id = $userId AND r.state IN ('asked', 'open')) AS disputes,
        EXISTS (SELECT FROM referral_withdrawals WHERE user_id = $userId AND state IN ('asked', 'approved')) AS withdrawals,
        EXISTS (SELECT FROM support_tickets WHERE user_id = $userId AND state = 'open')
          AND NOT EXISTS (SELECT FROM account_deletions
            WHERE user_id = $userId AND state = 'waiting' AND is_guest) AS tickets,
        debt_micros > 0 AS debt,
        available_micros + referral_micros > $givesUpMicros AS balance,
        available_micros + referral_micros AS left_micros, currency
      FROM accounts WHERE user_id = $userId`,
    values: input,
  })
  const row = rows[0]
  if (row === undefined) throw new Error(`user ${input.userId} has no account`)
  const { left_micros: leftMicros, currency, ...waits } = row
  const waitsFor = Object.entries(waits).flatMap(([name, holds]) => (holds ? [name as DeletionWait] : []))
  return { waitsFor, leftMicros, currency }
}
