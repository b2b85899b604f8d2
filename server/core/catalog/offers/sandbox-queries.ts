import type { Db } from '#server/house/db/pool.ts'

/** The codes (short names) of the sandbox supplier. The second is used if another supplier has the first. */
const CODES = ['sandbox', 'sandbox-of-keys']

export async function insertSandbox(db: Db, now: Date): Promise<void> {
  await db.query({
    text: `INSERT INTO suppliers (code, kind, settings, created_at, sandbox)
      SELECT code, 'simulator', '{}', $2, true FROM unnest($1::text[]) WITH ORDINALITY AS free (code, place)
      WHERE NOT EXISTS (SELECT FROM suppliers WHERE sandbox OR suppliers.code = free.code) ORDER BY place LIMIT 1
      ON CONFLICT DO NOTHING`,
    values: [CODES, now],
  })
}

export async function findSandboxRow(db: Db): Promise<{ id: number; code: string; kind: string } | null> {
  const { rows } = await db.query<{ id: number; code: string; kind: string }>({
    text: 'SELECT id, code, kind FROM suppliers WHERE sandbox',
  })
  return rows[0] ?? null
}
