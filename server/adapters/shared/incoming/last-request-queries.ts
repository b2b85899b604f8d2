import type { Db } from '#server/house/db/pool.ts'

export type LastRequest = { receivedAt: Date; address: string; state: string; reason: string | null }

const LAST = (condition: string) => `SELECT received_at AS "receivedAt", address, state, reason FROM intake_requests
  WHERE supplier_id = $1 AND ${condition} ORDER BY received_at DESC LIMIT 1`

export async function findLastRequests(
  db: Db,
  supplierId: number,
): Promise<{ genuine: LastRequest | null; refused: LastRequest | null; numbers: number }> {
  const genuine = await db.query<LastRequest>({ text: LAST(`state <> 'refused'`), values: [supplierId] })
  const refused = await db.query<LastRequest>({ text: LAST(`state = 'refused'`), values: [supplierId] })
  const { rows } = await db.query<{ numbers: number }>({
    text: `SELECT count(*)::integer AS numbers FROM smpp_numbers WHERE supplier_id = $1 AND enabled`,
    values: [supplierId],
  })
  return { genuine: genuine.rows[0] ?? null, refused: refused.rows[0] ?? null, numbers: rows[0]?.numbers ?? 0 }
}
