import type { Db } from '#server/db/pool.ts'

export type MessageRow = {
  id: bigint
  sender: string
  body: string | null
  code: string | null
  received_at: Date
  /** It came after the order had ended, and charged nobody. */
  late: boolean
}

/** Each kind of number has a column of its own, and an index that begins with it. */
const OWNER_COLUMNS = { activation: 'activation_id', rental: 'rental_id' } as const

/**
 * The newest messages of each of these activations or rentals, newest first, at most `perNumber` of each, by its id. Those
 * that can have none are not looked up, and are not in the map. One that has ended may have late ones, which are not counted.
 */
export async function listMessages(
  db: Db,
  owner: keyof typeof OWNER_COLUMNS,
  input: { numbers: readonly { id: bigint; sms_count: number; ended_at?: Date | null }[]; perNumber: number },
): Promise<Map<bigint, MessageRow[]>> {
  const ids = input.numbers
    .filter((number) => number.sms_count > 0 || number.ended_at != null)
    .map((number) => number.id)
  if (ids.length === 0) return new Map()
  const column = OWNER_COLUMNS[owner]
  const { rows } = await db.query<MessageRow & { owner_id: bigint }>({
    name: `${owner}-list-messages`,
    text: `SELECT m.* FROM unnest($1::bigint[]) AS wanted (id) CROSS JOIN LATERAL (
      SELECT id, ${column} AS owner_id, sender, body, code, received_at, given IS NOT DISTINCT FROM 'late' AS late FROM messages
      WHERE ${column} = wanted.id ORDER BY id DESC LIMIT $2
    ) m ORDER BY m.id DESC`,
    values: [ids, input.perNumber],
  })
  return Map.groupBy(rows, (row) => row.owner_id)
}
