import type { Db } from '#server/house/db/pool.ts'

export async function findLinkUp(db: Db, supplierId: number): Promise<boolean> {
  const { rows } = await db.query<{ link_up: boolean | null }>({
    text: 'SELECT link_up FROM suppliers WHERE id = $1',
    values: [supplierId],
  })
  return rows[0]?.link_up ?? false
}
