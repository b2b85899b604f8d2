import { SECOND } from '#contract/time.ts'
import type { Db } from '#server/db/pool.ts'

/** Whoever asks for metrics soon gives up. */
const LIMIT_MS = 2 * SECOND

/** What waits for an outcome: how many of a kind, and since when the oldest. */
export type Unsettled = {
  kind: 'activation' | 'rental' | 'preorder' | 'extension'
  number: bigint
  oldest: Date | null
}

/** One row for each kind; each is counted by a partial index. */
export async function countUnsettled(db: Db): Promise<Unsettled[]> {
  const { rows } = await db.query<Unsettled>({
    name: 'numbers-count-unsettled',
    text: `SELECT 'activation' AS kind, count(*) AS number, min(created_at) AS oldest FROM activations WHERE state = 'reserving'
      UNION ALL SELECT 'rental', count(*), min(created_at) FROM rentals WHERE state = 'reserving'
      UNION ALL SELECT 'preorder', count(*), min(a.created_at) FROM preorders p JOIN activations a ON a.id = p.activation_id
        WHERE p.state = 'buying'
      UNION ALL SELECT 'extension', count(*), min(c.created_at) FROM rentals r JOIN charges c ON c.id = r.extension_id
        WHERE r.extension_id IS NOT NULL`,
    limitMs: LIMIT_MS,
  })
  return rows
}
