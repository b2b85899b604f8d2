import type { Db } from '#server/house/db/pool.ts'

export type LatestRow = {
  service_code: string
  country_id: number
  operator_wanted: string | null
  hours: number | null
  bought_at: Date
}

/** The maximum number of the newest purchases that are read, however many a program made. */
const LOOKED_AT = 200
const SHOWN = 10

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

/** Lists the latest rentals. `hours` is the length of the first period, without extensions. */
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
