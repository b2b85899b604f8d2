import type { Db } from './pool.ts'

/** Open pages hear of these after the commit. `balancesOf`: users. `orders`: as subjects are written, `rental:12`. `message`: its id. */
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

/** "audt" in ASCII; the lock is held until the commit. */
const AUDIT_LOCK = 0x61756474

/** Serialised, so that ids follow the commit order: a server that remembers the last id misses none. */
export async function insertAudit(tx: Db, { tells, detail, ...row }: AuditRow): Promise<bigint | null> {
  await tx.query({ text: 'SELECT pg_advisory_xact_lock($1)', values: [AUDIT_LOCK] })
  const { rows } = await tx.query<{ id: bigint }>({
    text: `INSERT INTO audit_log (at, actor, command, subject, reason, detail, tells)
      VALUES ($at, $actor, $command, $subject, $reason, $detail, $tells) RETURNING id`,
    values: { ...row, detail: JSON.stringify(detail), tells: tells === undefined ? null : JSON.stringify(tells) },
  })
  return rows[0]?.id ?? null
}
