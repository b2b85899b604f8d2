import type { Db } from '#server/db/pool.ts'

export type AuditRow = {
  at: Date
  actor: string
  command: string
  subject: string
  reason: string
  detail: Record<string, unknown>
}

export async function insertAudit(db: Db, row: AuditRow): Promise<void> {
  await db.query({
    text: 'INSERT INTO audit_log (at, actor, command, subject, reason, detail) VALUES ($1, $2, $3, $4, $5, $6)',
    values: [row.at, row.actor, row.command, row.subject, row.reason, JSON.stringify(row.detail)],
  })
}
