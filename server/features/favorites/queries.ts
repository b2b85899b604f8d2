import type { Db } from '#server/db/pool.ts'

export type FavoriteKind = 'service' | 'country'
type Favorite = { userId: number; kind: FavoriteKind; subjectId: string }

/** Favourites of one kind; a visitor has none. */
export async function listFavorites(
  db: Db,
  input: { userId: number | null; kind: FavoriteKind },
): Promise<ReadonlySet<string>> {
  if (input.userId === null) return new Set()
  const { rows } = await db.query<{ subject_id: string }>({
    name: 'favorites-list',
    text: `SELECT subject_id FROM favorites WHERE user_id = $1 AND mode = 'activation' AND kind = $2`,
    values: [input.userId, input.kind],
  })
  return new Set(rows.map((row) => row.subject_id))
}

/** Adding twice is adding once. */
export async function insertFavorite(db: Db, input: Favorite & { now: Date }): Promise<void> {
  await db.query({
    name: 'favorites-insert',
    text: `INSERT INTO favorites (user_id, mode, kind, subject_id, created_at) VALUES ($1, 'activation', $2, $3, $4)
      ON CONFLICT DO NOTHING`,
    values: [input.userId, input.kind, input.subjectId, input.now],
  })
}

export async function deleteFavorite(db: Db, input: Favorite): Promise<void> {
  await db.query({
    name: 'favorites-delete',
    text: `DELETE FROM favorites WHERE user_id = $1 AND mode = 'activation' AND kind = $2 AND subject_id = $3`,
    values: [input.userId, input.kind, input.subjectId],
  })
}
