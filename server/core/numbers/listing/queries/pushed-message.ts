import type { Db } from '#server/house/db/pool.ts'

export type PushedMessageRow = {
  sender: string
  body: string | null
  code: string | null
  phone: string
  service_code: string
  country_id: number
  is_rental: boolean
}

/** Finds a message to push. Returns null if the message belongs to another account by now. */
export async function findPushedMessage(
  db: Db,
  input: { messageId: string; userId: number },
): Promise<PushedMessageRow | null> {
  const { rows } = await db.query<PushedMessageRow>({
    name: 'message-to-push',
    text: `SELECT m.sender, m.body, m.code, m.phone, r.id IS NOT NULL AS is_rental,
        COALESCE(a.service_code, r.service_code) AS service_code, COALESCE(a.country_id, r.country_id) AS country_id
      FROM messages m
        LEFT JOIN activations a ON a.id = m.activation_id AND a.user_id = $2
        LEFT JOIN rentals r ON r.id = m.rental_id AND r.user_id = $2
      WHERE m.id = $1 AND num_nonnulls(a.id, r.id) = 1`,
    values: [input.messageId, input.userId],
  })
  return rows[0] ?? null
}
