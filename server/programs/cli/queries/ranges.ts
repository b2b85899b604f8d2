import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'

type ListedNumber = {
  phone: string
  supplier: string
  country_id: number
  operator: string
  enabled: boolean
  /** The time since which the number is not sold because it received no message. */
  silent_at: Date | null
  /** The services for which the number is on sale. Its rental for all services has the state `rent_state`. */
  leased_for: string[]
  spent_for: number
  rent_state: string
}

export type NumberFilter = {
  supplier: string | null
  phone: string | null
  countryId: number | null
  operator: string | null
  state: string | null
  after: string | null
  limit: number
}

export async function listNumbersOfRanges(db: Db, filter: NumberFilter): Promise<ListedNumber[]> {
  const { rows } = await db.query<ListedNumber>({
    text: `SELECT n.phone, s.code AS supplier, n.country_id, n.operator, n.enabled, n.silent_at, n.rent_state,
        ARRAY(SELECT l.service_code FROM smpp_leases l WHERE l.phone = n.phone AND l.state = 'leased' ORDER BY 1) AS leased_for,
        (SELECT count(*)::integer FROM burnt_numbers b WHERE b.phone = n.phone) AS spent_for
      FROM smpp_numbers n JOIN suppliers s ON s.id = n.supplier_id
      WHERE ($supplier::text IS NULL OR s.code = $supplier) AND ($phone::text IS NULL OR n.phone = $phone)
        AND ($countryId::integer IS NULL OR n.country_id = $countryId)
        AND ($operator::text IS NULL OR n.operator = $operator) AND ($after::text IS NULL OR n.phone > $after)
        AND CASE $state::text WHEN 'disabled' THEN NOT n.enabled
          WHEN 'sold' THEN EXISTS (SELECT FROM smpp_leases l WHERE l.phone = n.phone AND l.state = 'leased')
          WHEN 'free' THEN n.enabled AND NOT EXISTS (SELECT FROM smpp_leases l WHERE l.phone = n.phone AND l.state = 'leased')
          ELSE true END
      ORDER BY n.phone LIMIT $limit`,
    values: filter,
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}
