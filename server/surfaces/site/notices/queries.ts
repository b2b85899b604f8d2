import type { Locale } from '#contract/constants.ts'
import type { Db } from '#server/house/db/pool.ts'

export type NoticeKind = 'info' | 'error'

export type Notice = {
  name: string
  version: number
  kind: NoticeKind
  texts: Partial<Record<Locale, string>>
  beginsAt: Date
  endsAt: Date | null
}

/** The maximum number of notices. More would leave no room for the page. */
export const MOST_NOTICES = 20

export async function listNotices(db: Db, now: Date): Promise<Notice[]> {
  const { rows } = await db.query<Notice>({
    name: 'notices-list',
    text: `SELECT name, version, kind, texts, begins_at AS "beginsAt", ends_at AS "endsAt" FROM notices
      WHERE ends_at IS NULL OR ends_at > $1 ORDER BY begins_at, name LIMIT $2`,
    values: [now, MOST_NOTICES],
  })
  return rows
}

/** Stores a notice to all visitors, or replaces the notice of the same name. Returns its version. */
export async function putNotice(tx: Db, notice: Omit<Notice, 'version'>): Promise<number> {
  const { rows } = await tx.query<{ version: number }>({
    text: `INSERT INTO notices AS n (name, kind, texts, begins_at, ends_at)
      VALUES ($name, $kind, $texts::jsonb, $beginsAt, $endsAt)
      ON CONFLICT (name) DO UPDATE SET version = n.version + 1, kind = EXCLUDED.kind, texts = EXCLUDED.texts,
        begins_at = EXCLUDED.begins_at, ends_at = EXCLUDED.ends_at
      RETURNING version`,
    values: { ...notice, texts: JSON.stringify(notice.texts) },
  })
  return rows[0]?.version ?? 1
}

export async function deleteNotice(tx: Db, name: string): Promise<boolean> {
  const { rowCount } = await tx.query({ text: 'DELETE FROM notices WHERE name = $1', values: [name] })
  return rowCount === 1
}
