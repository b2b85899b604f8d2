import type { Db } from '#server/house/db/pool.ts'

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

export async function findNewestChange(db: Db): Promise<bigint> {
  const { rows } = await db.query<{ id: bigint | null }>({ text: 'SELECT max(id) AS id FROM audit_log' })
  return rows[0]?.id ?? 0n
}

/** SQL: `listChangesByHand` finds something after `$newestChange`. */
export const ANY_CHANGE = '(SELECT max(id) FROM audit_log) > $newestChange'

/** Ids follow the order of commits, so no row turns up behind the cursor later. */
export async function listChangesByHand(db: Db, input: { after: bigint; limit: number }): Promise<ChangeByHand[]> {
  const { rows } = await db.query<ChangeByHand>({
    name: 'changes-by-hand',
    text: `SELECT id, actor, command, subject, detail->>'amount' AS amount, detail->>'currency' AS currency,
        CASE WHEN command IN ('user:credit', 'order:refund', 'payment:settle', 'payment:refund', 'payment:dispute',
          'payment:dispute-won', 'payment:dispute-lost') THEN (detail->>'userId')::integer END AS paid_user_id,
        CASE WHEN command = 'message:attach' THEN split_part(subject, ':', 2)::bigint END AS attached_message
      FROM audit_log WHERE id > $1 ORDER BY id LIMIT $2`,
    values: [input.after, input.limit],
  })
  return rows
}

export function auditIdOf(id: bigint): string {
  return `audit-${id}`
}
