import type { Db } from './pool.ts'

/**
 * The balances (by user id), orders (such as `rental:12`) and message whose open pages are notified after the commit.
 */
export type Tells = { balancesOf?: readonly number[]; orders?: readonly string[]; message?: string }

export type AuditRow = {
  at: Date
  actor: string
  command: string
  subject: string
  reason: string
  detail: Record<string, unknown>
  tells?: Tells
}

/** The key of the advisory lock that a writer of the audit log holds until the commit ("audt" in ASCII). */
const AUDIT_LOCK = 0x61756474

/**
 * Inserts a row into the audit log. Inserts are serialised, so that ids follow the order of commits. A server that
 * polls for newer ids then misses no row.
 */
export async function insertAudit(tx: Db, { tells, detail, ...row }: AuditRow): Promise<bigint | null> {
  await tx.query({ text: 'SELECT pg_advisory_xact_lock($1)', values: [AUDIT_LOCK] })
  const { rows } = await tx.query<{ id: bigint }>({
    text: `INSERT INTO audit_log (at, actor, command, subject, reason, detail, tells)
      VALUES ($at, $actor, $command, $subject, $reason, $detail, $tells) RETURNING id`,
    values: { ...row, detail: JSON.stringify(detail), tells: tells === undefined ? null : JSON.stringify(tells) },
  })
  return rows[0]?.id ?? null
}
