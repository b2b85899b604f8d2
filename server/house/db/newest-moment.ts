import type { Db } from './pool.ts'

export async function findNewestMoment(db: Db): Promise<Date | null> {
  const { rows } = await db.query<{ newest: Date | null }>({
    text: `SELECT greatest(
        (SELECT at FROM transfers ORDER BY id DESC LIMIT 1),
        (SELECT created_at FROM activations ORDER BY id DESC LIMIT 1),
        (SELECT created_at FROM rentals ORDER BY id DESC LIMIT 1),
        (SELECT received_at FROM messages ORDER BY id DESC LIMIT 1)
      ) AS newest`,
  })
  return rows[0]?.newest ?? null
}
