import type { Db } from './pool.ts'

/**
 * Open pages are notified of these changes after the commit. `balancesOf` lists user ids, `orders` lists subjects such
 * as `rental:12`, and `message` is the id of a message.
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

/** The number is "audt" in ASCII. The lock is held until the commit. */
const AUDIT_LOCK = 0x61756474

/** Inserts are serialised: ids then follow the commit order, so a server that remembers the last id misses no row. */
export async function insertAudit(tx: Db, { tells, detail, ...row }: AuditRow): Promise<bigint | null> {
  await tx.query({ text: 'SELECT pg_advisory_xact_lock($1)', values: [AUDIT_LOCK] })
  const { rows } = await tx.query<{ id: bigint }>({
    text: `INSERT INTO audit_log (at, actor, command, subject, reason, detail, tells)
      VALUES ($at, $actor, $command, $subject, $reason, $detail, $tells) RETURNING id`,
    values: { ...row, detail: JSON.stringify(detail), tells: tells === undefined ? null : JSON.stringify(tells) },
  })
  return rows[0]?.id ?? null
}
