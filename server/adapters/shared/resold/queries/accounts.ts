import type { Db } from '#server/house/db/pool.ts'

/** Returns the marker with which our order names at a supplier begin, and stores it at the first call. */
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

/** The rating below which staff are warned. At 0 the supplier sells nothing for a day. */
const LOW_HUNDREDTHS = 20_00
/** The rating from which a low rating counts as recovered. */
const ENOUGH_HUNDREDTHS = 25_00

/**
 * Stores our rating at a supplier. If the rating became low or recovered, stores an event and returns it, otherwise
 * returns null.
 */
export async function storeRating(
  db: Db,
  input: { supplierId: number; ratingHundredths: number | null; now: Date },
): Promise<'low' | 'enough' | null> {
  const { rows } = await db.query<{ low: boolean }>({
    name: 'resell-store-rating',
    text: `WITH before AS (
        SELECT supplier_id, rating_low FROM resell_accounts WHERE supplier_id = $supplierId FOR UPDATE
      ), stored AS (
        UPDATE resell_accounts a SET rating_hundredths = $ratingHundredths, rating_low = CASE
          WHEN $ratingHundredths::integer < ${LOW_HUNDREDTHS} THEN true
          WHEN $ratingHundredths::integer >= ${ENOUGH_HUNDREDTHS} THEN false ELSE a.rating_low END
        FROM before b WHERE a.supplier_id = b.supplier_id
        RETURNING a.supplier_id, a.rating_low AS low, b.rating_low AS was
      ), told AS (
        INSERT INTO supplier_events (supplier_id, at, kind, reason)
        SELECT supplier_id, $now, CASE WHEN low THEN 'rating-low' ELSE 'rating-enough' END,
          'the rating there is ' || round($ratingHundredths::integer / 100.0, 2) FROM stored WHERE low <> was
        RETURNING kind
      ) SELECT low FROM stored WHERE low <> was AND (SELECT count(*) FROM told) > 0`,
    values: input,
  })
  const [changed] = rows
  if (changed === undefined) return null
  return changed.low ? 'low' : 'enough'
}

export type Losses = { codes: bigint; micros: bigint }

export async function sumLosses(db: Db, supplierId: number): Promise<Losses> {
  const { rows } = await db.query<Losses>({
    text: `SELECT count(*) AS codes, COALESCE(sum(cost_micros), 0)::bigint AS micros FROM resold_orders
      WHERE supplier_id = $1 AND is_loss`,
    values: [supplierId],
  })
  return rows[0] ?? { codes: 0n, micros: 0n }
}
