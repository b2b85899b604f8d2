import type { Db } from '#server/house/db/pool.ts'

export async function isKeySpent(db: Db, { keyId, now }: { keyId: number; now: Date }): Promise<boolean> {
  const { rows } = await db.query<{ spent: boolean }>({
    name: 'five-sim-key-spent',
    text: 'SELECT key_refuses($1, 1, $2, NULL) AS spent',
    values: [keyId, now],
  })
  return rows[0]?.spent === true
}
