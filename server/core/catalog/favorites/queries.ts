import type { Db } from '#server/house/db/pool.ts'

export type FavoriteMode = 'activation' | 'rent'
export type FavoriteKind = 'service' | 'country'
export type FavoriteList = { userId: number; mode: FavoriteMode; kind: FavoriteKind }
type Favorite = FavoriteList & { subjectId: string }

export async function listFavorites(
  db: Db,
  input: { userId: number | null; mode: FavoriteMode; kind: FavoriteKind },
): Promise<ReadonlySet<string>> {
  if (input.userId === null) return new Set()
  const { rows } = await db.query<{ subject_id: string }>({
    name: 'favorites-list',
    text: 'SELECT subject_id FROM favorites WHERE user_id = $1 AND mode = $2 AND kind = $3',
    values: [input.userId, input.mode, input.kind],
  })
  return new Set(rows.map((row) => row.subject_id))
}

/**
 * Adds a favourite, or returns false at the user's maximum. Call it in a transaction, whose lock makes the limit exact.
 */
export async function insertFavorite(tx: Db, input: Favorite & { limit: number; now: Date }): Promise<boolean> {
  await tx.query({
    name: 'favorites-lock-owner',
    text: 'SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE',
    values: [input.userId],
  })
  const { rows } = await tx.query<{ kept: boolean }>({
    name: 'favorites-insert',
    text: `WITH added AS (
      INSERT INTO favorites (user_id, mode, kind, subject_id, created_at)
      SELECT $userId, $mode, $kind, $subjectId, $now WHERE (SELECT count(*) FROM favorites WHERE user_id = $userId) < $limit
      ON CONFLICT DO NOTHING RETURNING user_id
    )
    SELECT EXISTS (SELECT FROM added) OR EXISTS (SELECT FROM favorites
      WHERE user_id = $userId AND mode = $mode AND kind = $kind AND subject_id = $subjectId) AS kept`,
    values: input,
  })
  return rows[0]?.kept === true
}

export async function deleteFavorite(db: Db, input: Favorite): Promise<void> {
  await db.query({
    name: 'favorites-delete',
    text: 'DELETE FROM favorites WHERE user_id = $userId AND mode = $mode AND kind = $kind AND subject_id = $subjectId',
    values: input,
  })
}
