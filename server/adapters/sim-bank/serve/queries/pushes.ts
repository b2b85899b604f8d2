import { withheldSql } from '#server/core/numbers/listing/queries/messages.ts'
import type { Db } from '#server/house/db/pool.ts'

/** SQL for messages `m` of platforms' orders `o` that must be pushed and are not queued yet. It needs `$now`. */
export const UNQUEUED = `FROM outlet_orders o JOIN messages m ON m.activation_id = o.activation_id
      WHERE o.watched_until > $now AND m.body IS NOT NULL AND NOT ${withheldSql('m')} AND m.given IS DISTINCT FROM 'folded'
        AND NOT EXISTS (SELECT FROM outlet_pushes p WHERE p.message_id = m.id)`

/** Queues new messages of sold activations, even late ones, unless the money was released or a message has no text. */
export async function queuePushes(db: Db, input: { limit: number; now: Date }): Promise<number> {
  const { rowCount } = await db.query({
    name: 'outlet-pushes-queue',
    text: `INSERT INTO outlet_pushes (message_id, activation_id, outlet_id, state, made_at, due_at)
      SELECT m.id, o.activation_id, o.outlet_id, 'due', $now, $now
      ${UNQUEUED}
      LIMIT $limit ON CONFLICT DO NOTHING`,
    values: input,
  })
  return rowCount
}

export async function listOutletsDue(db: Db, now: Date): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'outlet-pushes-outlets-due',
    text: `SELECT o.id FROM outlets o
      WHERE EXISTS (SELECT FROM outlet_pushes p WHERE p.outlet_id = o.id AND p.state = 'due' AND p.due_at <= $1)`,
    values: [now],
  })
  return rows.map(({ id }) => id)
}

export type DuePush = { messageId: bigint; phone: string; sender: string; text: string; tries: number; madeAt: Date }

/**
 * Lists due pushes. A push waits for an earlier one of its number made after `heldSince`.
 * Then both stand at the place of the earlier one, so that a limited list never has the later one alone.
 */
export async function listDue(
  db: Db,
  input: { outletId: number; now: Date; heldSince: Date; limit: number },
): Promise<DuePush[]> {
  const { rows } = await db.query<DuePush>({
    name: 'outlet-pushes-due',
    text: `SELECT m.id AS "messageId", m.phone, m.sender, COALESCE(m.body, '') AS text, p.tries, p.made_at AS "madeAt"
      FROM outlet_pushes p JOIN messages m ON m.id = p.message_id
      WHERE p.outlet_id = $outletId AND p.state = 'due' AND p.due_at <= $now
        AND NOT EXISTS (SELECT FROM outlet_pushes e WHERE e.activation_id = p.activation_id AND e.message_id < p.message_id
          AND e.state = 'due' AND e.due_at > $now AND e.made_at > $heldSince)
      ORDER BY (SELECT max(e.due_at) FROM outlet_pushes e WHERE e.activation_id = p.activation_id AND e.message_id <= p.message_id
          AND e.state = 'due' AND (e.message_id = p.message_id OR e.made_at > $heldSince)), p.message_id
      LIMIT $limit`,
    values: input,
  })
  return rows
}

type Tried = { messageId: bigint; now: Date }

export async function markAccepted(db: Db, { messageId, now }: Tried): Promise<void> {
  await db.query({
    name: 'outlet-push-accepted',
    text: `UPDATE outlet_pushes SET state = 'accepted', tries = tries + 1, settled_at = $2, reason = NULL
      WHERE message_id = $1 AND state = 'due'`,
    values: [messageId, now],
  })
}

/** Stores that a platform refused a push. Returns true if the push is given up as older than `givenUpBefore`. */
export async function markRefused(
  db: Db,
  refused: Tried & { reason: string; dueAt: Date; givenUpBefore: Date },
): Promise<boolean> {
  const { rows } = await db.query<{ state: string }>({
    name: 'outlet-push-refused',
    text: `UPDATE outlet_pushes SET tries = tries + 1, reason = $reason, due_at = $dueAt,
        state = CASE WHEN made_at < $givenUpBefore THEN 'given_up' ELSE 'due' END,
        settled_at = CASE WHEN made_at < $givenUpBefore THEN $now::timestamptz END
      WHERE message_id = $messageId AND state = 'due' RETURNING state`,
    values: refused,
  })
  return rows[0]?.state === 'given_up'
}
