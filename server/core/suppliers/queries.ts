import type { Db } from '#server/house/db/pool.ts'

/** Lists the state of each supplier's link, as the node that holds the link stored it. */
export async function listLinks(db: Db): Promise<{ id: number; up: boolean; since: Date; why: string | null }[]> {
  const { rows } = await db.query<{ id: number; up: boolean; since: Date; why: string | null }>({
    name: 'supplier-list-links',
    text: `SELECT id, link_up AS up, link_changed_at AS since, link_why AS why FROM suppliers
      WHERE link_up IS NOT NULL AND link_changed_at IS NOT NULL`,
    values: {},
  })
  return rows
}
