import type { Db } from '#server/house/db/pool.ts'

/** Inserts a sandbox's shadow user, without e-mail, password or name. Returns null if the owner already has one. */
export async function insertShadow(tx: Db, input: { ownerId: number; now: Date }): Promise<number | null> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'sandbox-insert-shadow',
    text: `INSERT INTO users (name, role, zone, locale, created_at, sandbox_of, utm)
      SELECT 'Sandbox', 'user', zone, locale, $2, id, '{}' FROM users WHERE id = $1
      ON CONFLICT ON CONSTRAINT users_sandbox_once DO NOTHING RETURNING id`,
    values: [input.ownerId, input.now],
  })
  return rows[0]?.id ?? null
}

export async function hasShadows(db: Db): Promise<boolean> {
  const { rowCount } = await db.query({ text: 'SELECT FROM users WHERE sandbox_of IS NOT NULL LIMIT 1' })
  return rowCount === 1
}

export async function findShadow(db: Db, ownerId: number): Promise<number | null> {
  const { rows } = await db.query<{ id: number }>({
    name: 'sandbox-find-shadow',
    text: 'SELECT id FROM users WHERE sandbox_of = $1',
    values: [ownerId],
  })
  return rows[0]?.id ?? null
}
