import type { AuditRow } from '#server/house/db/audit-log.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'

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
