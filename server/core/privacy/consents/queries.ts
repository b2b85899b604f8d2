import type { Db } from '#server/house/db/pool.ts'

export type Consent = { document: string; version: string; at: Date }

export async function listConsents(db: Db, userId: number): Promise<Consent[]> {
  const { rows } = await db.query<Consent>({
    name: 'consents-list',
    text: 'SELECT document, version, at FROM consents WHERE user_id = $1 ORDER BY at DESC, document LIMIT 100',
    values: [userId],
  })
  return rows
}

export async function agreeToCurrent(db: Db, input: { userId: number; now: Date }): Promise<void> {
  await db.query({
    name: 'consents-agree',
    text: `INSERT INTO consents (user_id, document, version, given_by, at)
      SELECT $1, document, version, 'notice', $2 FROM document_versions WHERE is_current
      ON CONFLICT (user_id, document, version) DO NOTHING`,
    values: [input.userId, input.now],
  })
}
