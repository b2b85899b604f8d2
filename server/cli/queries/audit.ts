import type { Db } from '#server/db/pool.ts'

export type AuditRow = {
  at: Date
  actor: string
  command: string
  subject: string
  reason: string
  detail: Record<string, unknown>
}

/** "audt" in ASCII: held from the row's id to the commit. */
const AUDIT_LOCK = 0x61756474

/** One at a time, so that ids follow the order of the commits: a server that remembers the last one it saw misses none. */
export async function insertAudit(tx: Db, row: AuditRow): Promise<void> {
  await tx.query({ text: 'SELECT pg_advisory_xact_lock($1)', values: [AUDIT_LOCK] })
  await tx.query({
    text: 'INSERT INTO audit_log (at, actor, command, subject, reason, detail) VALUES ($1, $2, $3, $4, $5, $6)',
    values: [row.at, row.actor, row.command, row.subject, row.reason, JSON.stringify(row.detail)],
  })
}
