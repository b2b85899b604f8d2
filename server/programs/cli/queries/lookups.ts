import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'

export type LookupRange = { phone: string; from: Date; to: Date; limit: number }

export type HolderRow = {
  kind: 'activation' | 'rental'
  id: bigint
  user_id: number
  /** The mail address of the number's buyer; null if there was no buyer, or if the account is deleted. */
  email: string | null
  service_code: string
  state: string
  held_from: Date
  held_until: Date | null
}

export const HOLDERS = `SELECT held.*, u.email FROM (
    SELECT 'activation' AS kind, id, user_id, service_code, state, created_at AS held_from, ended_at AS held_until
    FROM activations WHERE phone = $phone AND created_at <= $to AND (ended_at IS NULL OR ended_at >= $from)
    UNION ALL
    SELECT 'rental', id, user_id, service_code, state, created_at, ended_at
    FROM rentals WHERE phone = $phone AND created_at <= $to AND (ended_at IS NULL OR ended_at >= $from)
  ) held JOIN users u ON u.id = held.user_id ORDER BY held_from, id LIMIT $limit`

export async function listHolders(db: Db, range: LookupRange): Promise<HolderRow[]> {
  const { rows } = await db.query<HolderRow>({ text: HOLDERS, values: range, limitMs: SLOW_LIMIT_MS })
  return rows
}

export type SenderRow = { at: Date; sender: string; kind: 'activation' | 'rental' | null; id: bigint | null }

/** Lists the senders of messages to the number, oldest first. Texts of messages are never selected. */
export async function listSendersTo(db: Db, range: LookupRange): Promise<SenderRow[]> {
  const { rows } = await db.query<SenderRow>({
    text: `SELECT received_at AS at, sender, COALESCE(activation_id, rental_id) AS id,
        CASE WHEN activation_id IS NOT NULL THEN 'activation' WHEN rental_id IS NOT NULL THEN 'rental' END AS kind
      FROM messages WHERE phone = $phone AND received_at BETWEEN $from AND $to ORDER BY received_at, messages.id LIMIT $limit`,
    values: range,
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}
