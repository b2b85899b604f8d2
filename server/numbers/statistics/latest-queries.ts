import type { Db } from '#server/db/pool.ts'

/** A kind of purchase that was made lately, and when it last was. */
export type LatestRow = {
  service_code: string
  country_id: number
  operator_wanted: string | null
  /** Of a rental's first period. */
  hours: number | null
  bought_at: Date
}

/** So many of the newest purchases are looked at, however many a program made. */
const LOOKED_AT = 200
const SHOWN = 10

/** Kinds of activations that got a number, newest first. */
export async function listLatestActivationRows(db: Db, userId: number): Promise<LatestRow[]> {
  const { rows } = await db.query<LatestRow>({
    name: 'latest-activations',
    text: `WITH recent AS (
        SELECT id, service_code, country_id, operator_wanted, state, created_at FROM activations
        WHERE user_id = $1 ORDER BY id DESC LIMIT ${LOOKED_AT}
      )
      SELECT service_code, country_id, operator_wanted, NULL::integer AS hours, max(created_at) AS bought_at
      FROM recent WHERE state NOT IN ('reserving', 'failed')
      GROUP BY service_code, country_id, operator_wanted ORDER BY max(id) DESC LIMIT ${SHOWN}`,
    values: [userId],
  })
  return rows
}

/** Kinds of rentals that got a number, newest first; the length is the one first paid for, not that of extensions. */
export async function listLatestRentalRows(db: Db, userId: number): Promise<LatestRow[]> {
  const { rows } = await db.query<LatestRow>({
    name: 'latest-rentals',
    text: `WITH recent AS (
        SELECT id, service_code, country_id, operator_wanted, state, created_at FROM rentals
        WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${LOOKED_AT}
      )
      SELECT r.service_code, r.country_id, r.operator_wanted, c.hours, max(r.created_at) AS bought_at
      FROM recent r JOIN charges c ON c.rental_id = r.id AND c.purpose = 'rental'
      WHERE r.state NOT IN ('reserving', 'failed')
      GROUP BY r.service_code, r.country_id, r.operator_wanted, c.hours ORDER BY max(r.id) DESC LIMIT ${SHOWN}`,
    values: [userId],
  })
  return rows
}
