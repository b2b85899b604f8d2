import type { Db } from '#server/db/pool.ts'

/** Makes the account's marker on the first call. */
export async function takeMarker(db: Db, input: { supplierId: number; marker: string }): Promise<string> {
  const { rows } = await db.query<{ marker: string }>({
    text: `WITH made AS (
        INSERT INTO resell_accounts (supplier_id, marker) VALUES ($supplierId, $marker)
        ON CONFLICT (supplier_id) DO NOTHING RETURNING marker
      ) SELECT marker FROM made UNION ALL SELECT marker FROM resell_accounts WHERE supplier_id = $supplierId LIMIT 1`,
    values: input,
  })
  const marker = rows[0]?.marker
  if (marker === undefined) throw new Error('a marker was neither made nor found')
  return marker
}

export async function storeRating(
  db: Db,
  input: { supplierId: number; ratingHundredths: number | null },
): Promise<void> {
  await db.query({
    name: 'resell-store-rating',
    text: 'UPDATE resell_accounts SET rating_hundredths = $ratingHundredths WHERE supplier_id = $supplierId',
    values: input,
  })
}

export type Losses = { codes: bigint; micros: bigint }

/** Codes that came after a refund: the supplier charged them, and no buyer paid. */
export async function sumLosses(db: Db, supplierId: number): Promise<Losses> {
  const { rows } = await db.query<Losses>({
    text: `SELECT count(*) AS codes, COALESCE(sum(cost_micros), 0)::bigint AS micros FROM resold_orders
      WHERE supplier_id = $1 AND is_loss`,
    values: [supplierId],
  })
  return rows[0] ?? { codes: 0n, micros: 0n }
}
