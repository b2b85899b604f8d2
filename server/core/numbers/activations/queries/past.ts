import type { Db } from '#server/house/db/pool.ts'
import { type ActivationRow, COLUMNS } from './row.ts'

type Between = { userId: number; since: Date; until: Date; limit: number; offset: number }

export async function listMadeBetween(db: Db, between: Between): Promise<ActivationRow[]> {
  const { rows } = await db.query<ActivationRow>({
    name: 'activation-list-between',
    text: `SELECT ${COLUMNS} FROM activations
      WHERE user_id = $userId AND created_at >= $since AND created_at <= $until AND state NOT IN ('failed', 'reserving')
      ORDER BY created_at DESC, id DESC LIMIT $limit OFFSET $offset`,
    values: between,
  })
  return rows
}
