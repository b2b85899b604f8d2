import type { Db } from '#server/db/pool.ts'

/** Numbers that somebody has now; with more than `limit` of a kind, any of them. */
export async function listHeldPhones(db: Db, input: { limit: number }): Promise<string[]> {
  const { rows } = await db.query<{ phone: string }>({
    name: 'message-list-held-phones',
    text: `(SELECT phone FROM activations WHERE state IN ('waiting', 'received', 'waiting_again') AND phone IS NOT NULL LIMIT $1)
      UNION (SELECT phone FROM rentals WHERE state = 'active' AND phone IS NOT NULL LIMIT $1)`,
    values: [input.limit],
  })
  return rows.map(({ phone }) => phone)
}
