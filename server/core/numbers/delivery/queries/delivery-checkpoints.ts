import type { Db } from '#server/house/db/pool.ts'

/** A checkpoint: at time `at`, every message with an id up to `throughMessage` had been verified. */
export type DeliveryCheckpoint = { at: Date; throughMessage: bigint }

export async function findDeliveryCheckpoint(db: Db): Promise<DeliveryCheckpoint | null> {
  const { rows } = await db.query<DeliveryCheckpoint>({
    text: 'SELECT at, through_message AS "throughMessage" FROM delivery_checkpoints ORDER BY id DESC LIMIT 1',
  })
  return rows[0] ?? null
}

/**
 * Returns the id of the newest message that came before `settledBefore`, or 0. Scans only the messages since that time.
 */
export async function lastMessageBefore(tx: Db, settledBefore: Date): Promise<bigint> {
  const { rows } = await tx.query<{ id: bigint }>({
    text: 'SELECT id FROM messages WHERE received_at < $1 ORDER BY id DESC LIMIT 1',
    values: [settledBefore],
  })
  return rows[0]?.id ?? 0n
}

export async function appendDeliveryCheckpoint(
  db: Db,
  input: { at: Date; recounted: boolean; throughMessage: bigint },
): Promise<void> {
  await db.query({
    text: 'INSERT INTO delivery_checkpoints (at, recounted, through_message) VALUES ($1, $2, $3)',
    values: [input.at, input.recounted, input.throughMessage],
  })
}

/** SQL: messages after the checkpoint, and older ones that staff attached since. Without a checkpoint, all messages. */
export function messagesSince(from: DeliveryCheckpoint | null): string {
  if (from === null) return 'SELECT * FROM messages'
  const through = from.throughMessage
  return `SELECT * FROM messages WHERE id > ${through}
    UNION ALL SELECT * FROM messages WHERE id <= ${through} AND id = ANY (ARRAY(
      SELECT substr(subject, ${'message:'.length + 1})::bigint FROM audit_log
      WHERE command = 'message:attach' AND subject LIKE 'message:%' AND at >= '${from.at.toISOString()}'))`
}
