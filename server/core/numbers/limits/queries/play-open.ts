import { ACTIVE_STATES } from '#contract/activation.ts'
import type { Db } from '#server/house/db/pool.ts'
import { sqlList } from '#server/house/db/sql-list.ts'

export type PlayOpen = { userId: number; kind: 'activation' | 'rental'; count: number }

/** Counts the open numbers of each sandbox account, without blocked accounts, whose numbers expire soon. */
export async function countPlayOpen(db: Db, supplierId: number): Promise<PlayOpen[]> {
  const { rows } = await db.query<{ user_id: number; kind: PlayOpen['kind']; count: bigint }>({
    name: 'limits-count-play',
    text: `SELECT user_id, kind, count(*) FROM (
        SELECT user_id, 'activation' AS kind FROM activations WHERE supplier_id = $1 AND state IN ('reserving', ${sqlList(ACTIVE_STATES)})
        UNION ALL SELECT user_id, 'rental' FROM rentals WHERE supplier_id = $1 AND state IN ('reserving', 'active')
      ) numbers JOIN users ON users.id = user_id WHERE blocked_at IS NULL GROUP BY user_id, kind`,
    values: [supplierId],
  })
  return rows.map((row) => ({ userId: row.user_id, kind: row.kind, count: Number(row.count) }))
}
