import type { Db } from '#server/house/db/pool.ts'

/** The maximum number of an order's messages without a code a minute. Others are folded into a summary line. */
export const MOST_WITHOUT_CODE = 10

type Counted = { id: bigint; sms_count: number; notice_at?: Date | null }

export async function countFolded(
  db: Db,
  kind: 'activation' | 'rental',
  orders: readonly Counted[],
): Promise<Map<bigint, number>> {
  const ids = orders
    .filter((order) => order.sms_count >= MOST_WITHOUT_CODE || order.notice_at != null)
    .map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<{ id: bigint; count: number }>({
    name: `${kind}-count-folded`,
    text: `SELECT ${kind}_id AS id, count(*)::integer AS count FROM messages
      WHERE ${kind}_id = ANY ($1::bigint[]) AND given = 'folded' GROUP BY 1`,
    values: [ids],
  })
  return new Map(rows.map(({ id, count }) => [id, count]))
}
