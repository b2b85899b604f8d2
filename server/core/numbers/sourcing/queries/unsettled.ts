import { SECOND } from '#contract/time.ts'
import type { Db } from '#server/house/db/pool.ts'
import { isReal } from '#server/house/db/sandbox-sql.ts'

/** The time-out of the query. It is short, because a scraper of metrics does not wait longer. */
const LIMIT_MS = 2 * SECOND

export type Unsettled = {
  kind: 'activation' | 'rental' | 'preorder' | 'extension'
  number: bigint
  oldest: Date | null
}

/** Counts unsettled orders. Each kind of order has a partial index for this. */
export async function countUnsettled(db: Db): Promise<Unsettled[]> {
  const { rows } = await db.query<Unsettled>({
    name: 'numbers-count-unsettled',
    text: `SELECT 'activation' AS kind, count(*) AS number, min(created_at) AS oldest FROM activations WHERE state = 'reserving' AND ${isReal()}
      UNION ALL SELECT 'rental', count(*), min(created_at) FROM rentals WHERE state = 'reserving' AND ${isReal()}
      UNION ALL SELECT 'preorder', count(*), min(a.created_at) FROM preorders p JOIN activations a ON a.id = p.activation_id
        WHERE p.state = 'buying'
      UNION ALL SELECT 'extension', count(*), min(c.created_at) FROM rentals r JOIN charges c ON c.id = r.extension_id
        WHERE r.extension_id IS NOT NULL AND ${isReal('r.supplier_id')}`,
    limitMs: LIMIT_MS,
  })
  return rows
}
