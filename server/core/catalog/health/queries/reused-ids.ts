import type { ReusedIdLine } from '#server/core/catalog/health/reused-ids.ts'
import type { Db } from '#server/house/db/pool.ts'

export async function addReusedIds(db: Db, lines: readonly ReusedIdLine[]): Promise<void> {
  await db.query({
    name: 'health-reused-ids',
    text: `INSERT INTO reused_message_ids AS known (hour, supplier_id, messages, last_at)
      SELECT hour, supplier_id, messages, last_at
      FROM unnest($hours::timestamptz[], $supplierIds::integer[], $messages::integer[], $lastAt::timestamptz[])
        AS given (hour, supplier_id, messages, last_at)
      JOIN suppliers ON suppliers.id = supplier_id
      ON CONFLICT (hour, supplier_id) DO UPDATE
      SET messages = known.messages + excluded.messages, last_at = GREATEST(known.last_at, excluded.last_at)`,
    values: {
      hours: lines.map(({ hour }) => hour),
      supplierIds: lines.map(({ supplierId }) => supplierId),
      messages: lines.map(({ messages }) => messages),
      lastAt: lines.map(({ lastAt }) => lastAt),
    },
  })
}

export async function sumReusedIds(
  db: Db,
  since: Date,
): Promise<{ supplier_id: number; count: number; last_at: Date }[]> {
  const { rows } = await db.query<{ supplier_id: number; count: number; last_at: Date }>({
    name: 'health-sum-reused-ids',
    text: `SELECT supplier_id, sum(messages)::integer AS count, max(last_at) AS last_at
      FROM reused_message_ids WHERE hour > $1 GROUP BY supplier_id`,
    values: [since],
  })
  return rows
}
