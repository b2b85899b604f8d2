import { type Db, SLOW_LIMIT_MS } from '#server/db/pool.ts'

export type AuditRow = {
  at: Date
  actor: string
  command: string
  subject: string
  reason: string
  detail: Record<string, unknown>
}

/** "audt" in ASCII; the lock is held until the commit. */
const AUDIT_LOCK = 0x61756474

/** Serialised, so that ids follow the commit order: a server that remembers the last id misses none. */
export async function insertAudit(tx: Db, row: AuditRow): Promise<bigint | null> {
  await tx.query({ text: 'SELECT pg_advisory_xact_lock($1)', values: [AUDIT_LOCK] })
  const { rows } = await tx.query<{ id: bigint }>({
    text: `INSERT INTO audit_log (at, actor, command, subject, reason, detail)
      VALUES ($at, $actor, $command, $subject, $reason, $detail) RETURNING id`,
    values: { ...row, detail: JSON.stringify(row.detail) },
  })
  return rows[0]?.id ?? null
}

export type AuditFilter = {
  subject: string | null
  command: string | null
  actor: string | null
  since: Date | null
  after: bigint | null
  limit: number
}

export async function listAudit(db: Db, filter: AuditFilter): Promise<(AuditRow & { id: bigint })[]> {
  const { rows } = await db.query<AuditRow & { id: bigint }>({
    text: `SELECT id, at, actor, command, subject, reason, detail FROM audit_log
      WHERE ($subject::text IS NULL OR subject = $subject) AND ($command::text IS NULL OR command = $command)
        AND ($actor::text IS NULL OR actor = $actor) AND ($since::timestamptz IS NULL OR at >= $since)
        AND ($after::bigint IS NULL OR id < $after)
      ORDER BY id DESC LIMIT $limit`,
    values: filter,
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}
