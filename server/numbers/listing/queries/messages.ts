import type { Db } from '#server/db/pool.ts'

export type MessageRow = {
  id: bigint
  sender: string
  body: string | null
  code: string | null
  received_at: Date
  /** Arrived after the end, and charged nobody. */
  late: boolean
  /** It came after the money went back: without words, code and sender, which may be a code itself. */
  withheld: boolean
}

const OWNER_COLUMNS = { activation: 'activation_id', rental: 'rental_id' } as const

/** What staff attach to an open order is paid for. */
export const WITHHELD = `(withheld AND given = 'late')`

/** Newest first, at most `perNumber` of each, by its id. Ended numbers may have late, uncounted messages. */
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
      SELECT id, owner_id, CASE WHEN hidden THEN '' ELSE sender END AS sender, CASE WHEN NOT hidden THEN body END AS body,
        CASE WHEN NOT hidden THEN code END AS code, received_at, late, hidden AS withheld
      FROM (SELECT *, ${column} AS owner_id, given IS NOT DISTINCT FROM 'late' AS late, ${WITHHELD} AS hidden FROM messages
        WHERE ${column} = wanted.id ORDER BY id DESC LIMIT $2) newest
    ) m ORDER BY m.id DESC`,
    values: [ids, input.perNumber],
  })
  return Map.groupBy(rows, (row) => row.owner_id)
}
