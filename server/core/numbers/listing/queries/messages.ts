import type { Db } from '#server/house/db/pool.ts'

export type MessageRow = {
  id: bigint
  sender: string
  body: string | null
  code: string | null
  received_at: Date
  /** True if the message arrived after the order had ended, and charged nobody. */
  late: boolean
  /** True if nobody has paid for the message. Text, code and sender (which may be a code itself) are then left out. */
  withheld: boolean
  /** True if the message is a notice of the order's service, either closed (text withheld) or opened by payment. */
  notice?: boolean
}

const OWNER_COLUMNS = { activation: 'activation_id', rental: 'rental_id' } as const

/**
 * SQL: true if a message is withheld: a late message marked so, or a notice that is not paid for. A notice that staff
 * attached to a paid activation is not withheld.
 */
export const withheldSql = (message: string) => `(CASE WHEN ${message}.given = 'late' THEN ${message}.withheld
          WHEN ${message}.given = ANY ('{notice,folded}'::text[]) THEN ${message}.activation_id IS NOT NULL
            AND NOT EXISTS (SELECT FROM activations paid WHERE paid.id = ${message}.activation_id AND paid.money = 'captured')
          ELSE false END)`

/**
 * Lists at most `perNumber` messages of each number, newest first, in a map by the number's id. Ended numbers may have
 * late messages, which `sms_count` does not count. `closed` adds notices that are not paid for, without their text.
 */
export async function listMessages(
  db: Db,
  owner: keyof typeof OWNER_COLUMNS,
  input: {
    numbers: readonly { id: bigint; sms_count: number; ended_at?: Date | null; notice_at?: Date | null }[]
    perNumber: number
    closed?: boolean
  },
): Promise<Map<bigint, MessageRow[]>> {
  const ids = input.numbers
    .filter((number) => number.sms_count > 0 || number.ended_at != null || number.notice_at != null)
    .map((number) => number.id)
  if (ids.length === 0) return new Map()
  const column = OWNER_COLUMNS[owner]
  const { rows } = await db.query<MessageRow & { owner_id: bigint }>({
    name: `${owner}-list-messages`,
    text: `SELECT m.* FROM unnest($1::bigint[]) AS wanted (id) CROSS JOIN LATERAL (
      SELECT id, owner_id, CASE WHEN hidden THEN '' ELSE sender END AS sender, CASE WHEN NOT hidden THEN body END AS body,
        CASE WHEN NOT hidden THEN code END AS code, received_at, late, hidden AS withheld,
        opened OR hidden AND NOT late AS notice
      FROM (SELECT *, ${column} AS owner_id, given IS NOT DISTINCT FROM 'opened' AS opened, given IS NOT DISTINCT FROM 'late' AS late, ${withheldSql('m')} AS hidden FROM messages m
        WHERE ${column} = wanted.id AND given IS DISTINCT FROM 'folded'
          AND ($3 OR given IS DISTINCT FROM 'notice' OR NOT ${withheldSql('m')}) ORDER BY id DESC LIMIT $2) newest
    ) m ORDER BY m.id DESC`,
    values: [ids, input.perNumber, input.closed === true],
  })
  return Map.groupBy(rows, (row) => row.owner_id)
}
