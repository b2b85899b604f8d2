import type { Db } from '#server/db/pool.ts'

/** One row of the audit log: who did what, the money it moved, whose balance the command changed, and the message it gave to somebody; null where it did not. */
export type ChangeByHand = {
  id: bigint
  actor: string
  command: string
  subject: string
  amount: string | null
  currency: string | null
  paid_user_id: number | null
  attached_message: bigint | null
}

/** The last change that the command line made; 0 when there was none. */
export async function findNewestChange(db: Db): Promise<bigint> {
  const { rows } = await db.query<{ id: bigint | null }>({ text: 'SELECT max(id) AS id FROM audit_log' })
  return rows[0]?.id ?? 0n
}

/** What came after one that was seen, in order. Ids follow the order of the commits, so none turns up behind it later. */
export async function listChangesByHand(db: Db, input: { after: bigint; limit: number }): Promise<ChangeByHand[]> {
  const { rows } = await db.query<ChangeByHand>({
    name: 'changes-by-hand',
    text: `SELECT id, actor, command, subject, detail->>'amount' AS amount, detail->>'currency' AS currency,
        CASE WHEN command IN ('user:credit', 'order:refund') THEN (detail->>'userId')::integer END AS paid_user_id,
        CASE WHEN command = 'message:attach' THEN split_part(subject, ':', 2)::bigint END AS attached_message
      FROM audit_log WHERE id > $1 ORDER BY id LIMIT $2`,
    values: [input.after, input.limit],
  })
  return rows
}

/** By which the reply of a command and the line in the server's log name one change. */
export function auditIdOf(id: bigint): string {
  return `audit-${id}`
}
