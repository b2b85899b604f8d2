import type { Tells } from '#server/house/db/audit-log.ts'
import type { Db } from '#server/house/db/pool.ts'

export type ManualChange = {
  id: bigint
  actor: string
  command: string
  subject: string
  amount: string | null
  currency: string | null
  tells: Tells | null
}

export async function findNewestChange(db: Db): Promise<bigint> {
  const { rows } = await db.query<{ id: bigint | null }>({ text: 'SELECT max(id) AS id FROM audit_log' })
  return rows[0]?.id ?? 0n
}

export const ANY_CHANGE = '(SELECT max(id) FROM audit_log) > $newestChange'

/** Lists the changes that staff made after the id `after`. Ids follow the order of commits, so none is missed. */
export async function listManualChanges(db: Db, input: { after: bigint; limit: number }): Promise<ManualChange[]> {
  const { rows } = await db.query<ManualChange>({
    name: 'changes-by-hand',
    text: `SELECT id, actor, command, subject, detail->>'amount' AS amount, detail->>'currency' AS currency, tells
      FROM audit_log WHERE id > $1 ORDER BY id LIMIT $2`,
    values: [input.after, input.limit],
  })
  return rows
}

export function auditIdOf(id: bigint): string {
  return `audit-${id}`
}
