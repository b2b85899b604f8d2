import type { Db } from '#server/db/pool.ts'

export type FavoriteMode = 'activation' | 'rent'
export type FavoriteKind = 'service' | 'country'
export type FavoriteList = { userId: number; mode: FavoriteMode; kind: FavoriteKind }
type Favorite = FavoriteList & { subjectId: string }

/** A visitor has none. */
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

export async function insertFavorite(db: Db, input: Favorite & { now: Date }): Promise<void> {
  await db.query({
    name: 'favorites-insert',
    text: `INSERT INTO favorites (user_id, mode, kind, subject_id, created_at)
      VALUES ($userId, $mode, $kind, $subjectId, $now)
      ON CONFLICT DO NOTHING`,
    values: input,
  })
}

export async function deleteFavorite(db: Db, input: Favorite): Promise<void> {
  await db.query({
    name: 'favorites-delete',
    text: 'DELETE FROM favorites WHERE user_id = $userId AND mode = $mode AND kind = $kind AND subject_id = $subjectId',
    values: input,
  })
}
