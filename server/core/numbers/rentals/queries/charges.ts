import type { Db } from '#server/house/db/pool.ts'

export type ChargeRow = { price_micros: bigint; hours: number; created_at: Date }

const MOST_CHARGES = 100

/** Lists the charges of a rental, newest first: the first period and each extension, without released charges. */
export async function listCharges(db: Db, input: { rentalId: number; userId: number }): Promise<ChargeRow[]> {
  const { rows } = await db.query<ChargeRow>({
    name: 'rental-list-charges',
    text: `SELECT price_micros, hours, created_at FROM charges
      WHERE rental_id = $1 AND user_id = $2 AND money <> 'released' ORDER BY id DESC LIMIT ${MOST_CHARGES}`,
    values: [input.rentalId, input.userId],
  })
  return rows
}
