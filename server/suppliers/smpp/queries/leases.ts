import { isUniqueViolation } from '#server/db/constraint.ts'
import type { Db } from '#server/db/pool.ts'
import type { Ending } from '../../supplier.ts'

/** A number given back without a code may be offered up to three times more. */
export const MAX_OFFERS = 4

/** Buyers of one moment choose among so many numbers, or most of them would run for the same one and lose. */
const SPREAD = 32

export type Lease = {
  reference: string
  state: 'leased' | 'ended' | 'refused'
  phone: string | null
  operator: string | null
  costMicros: bigint | null
}

export type LeaseWish = {
  supplierId: number
  reference: string
  serviceCode: string
  countryId: number
  operator: string | null
  costMicros: bigint
  currency: string
  expiresAt: Date
  now: Date
  /** Numbers before this position are not looked at: of activations all of them have been offered for the service. */
  fromPosition: bigint
}

/** `position`: before it no number was found that had never been offered for the service. */
export type LeaseAttempt =
  | { outcome: 'leased'; lease: Lease; position: bigint }
  /** The reference has a row already: another call was first. */
  | { outcome: 'known' }
  /** A number was found, but someone else had it by the time we took it. */
  | { outcome: 'raced' }
  | { outcome: 'none'; position: bigint }

export const LEASE_COLUMNS = 'reference, state, phone, operator, cost_micros AS "costMicros"'

/**
 * Takes one number in one statement: one that was never offered for the service if there is one, else the one given
 * back that was offered least. With `wait` a number that someone is just taking (perhaps for another service) is
 * waited for; without it is passed over.
 *
 * Either way the number itself is locked, before its use: renting one out waits for that, and is seen once it is done.
 *
 * "Never offered" is asked number by number (a scalar subquery) and not as NOT EXISTS: of a service that is new the
 * planner knows no rows, and then joins by reading all uses of it once a purchase (measured: 25 ms instead of 1).
 */
export async function insertLease(db: Db, wish: LeaseWish, { wait }: { wait: boolean }): Promise<LeaseAttempt> {
  type Row = Lease & { found: boolean; position: bigint }
  const anyOperator = wish.operator === null
  try {
    const { rows } = await db.query<Row>({
      name: `smpp-insert-lease${wait ? '-waiting' : ''}${anyOperator ? '' : '-operator'}`,
      text: leaseStatement(anyOperator, wait ? '' : 'SKIP LOCKED'),
      values: [
        wish.supplierId,
        wish.reference,
        wish.serviceCode,
        wish.countryId,
        wish.costMicros,
        wish.currency,
        wish.expiresAt,
        wish.now,
        wish.fromPosition,
        ...(anyOperator ? [] : [wish.operator]),
      ],
    })
    const [row] = rows
    if (row === undefined) throw new Error('the lease statement returned no row')
    if (row.phone !== null) return { outcome: 'leased', lease: row, position: row.position }
    return row.found ? { outcome: 'raced' } : { outcome: 'none', position: row.position }
  } catch (error) {
    if (isUniqueViolation(error, 'smpp_leases_reference')) return { outcome: 'known' }
    // Two statements that both saw the number free: the index let one of them have it.
    if (isUniqueViolation(error, 'smpp_leases_one_holder')) return { outcome: 'raced' }
    throw error
  }
}

function leaseStatement(anyOperator: boolean, locking: string): string {
  const ofOperator = (table: string) => (anyOperator ? '' : `AND ${table}.operator = $10`)
  return `WITH next AS (
      SELECT n.phone, n.position FROM smpp_numbers n
      WHERE n.supplier_id = $1 AND n.country_id = $4 AND n.enabled AND n.rent_state = 'free' AND n.position >= $9
        ${ofOperator('n')}
        AND (SELECT u.state FROM smpp_number_uses u WHERE u.phone = n.phone AND u.service_code = $3) IS NULL
      ORDER BY n.position LIMIT ${SPREAD}
    ), fresh AS (
      SELECT n.phone, n.country_id, n.operator FROM smpp_numbers n JOIN next USING (phone)
      WHERE n.enabled AND n.rent_state = 'free' ORDER BY hashtext(n.phone || $2) LIMIT 1 FOR UPDATE OF n ${locking}
    ), returned AS (
      SELECT u.phone, u.country_id, u.operator FROM smpp_number_uses u JOIN smpp_numbers n USING (phone)
      WHERE u.supplier_id = $1 AND u.service_code = $3 AND u.country_id = $4 AND u.state = 'returned' ${ofOperator('u')}
        AND NOT EXISTS (SELECT FROM fresh) AND n.enabled AND n.rent_state = 'free'
      ORDER BY u.times_offered, u.changed_at LIMIT 1 FOR SHARE OF n ${locking} FOR UPDATE OF u ${locking}
    ), found AS (SELECT * FROM fresh UNION ALL SELECT * FROM returned
    ), used AS (
      INSERT INTO smpp_number_uses AS u
        (phone, service_code, supplier_id, country_id, operator, state, times_offered, changed_at)
      SELECT phone, $3, $1, country_id, operator, 'leased', 1, $8 FROM found
      ON CONFLICT (phone, service_code) DO UPDATE
        SET state = 'leased', times_offered = u.times_offered + 1, changed_at = $8
        WHERE u.state = 'returned' AND u.times_offered < ${MAX_OFFERS}
      RETURNING u.phone, u.operator
    ), lease AS (
      INSERT INTO smpp_leases
        (supplier_id, reference, state, phone, service_code, operator, cost_micros, currency, created_at, expires_at)
      SELECT $1, $2, 'leased', phone, $3, operator, $5, $6, $8, $7 FROM used
      RETURNING ${LEASE_COLUMNS}
    )
    SELECT lease.*, found.phone IS NOT NULL AS found,
      COALESCE((SELECT min(position) FROM next), (SELECT last_value FROM smpp_numbers_positions)) AS position
    FROM (SELECT 1) AS always LEFT JOIN found ON true LEFT JOIN lease ON true`
}

export async function selectLease(db: Db, supplierId: number, reference: string): Promise<Lease | null> {
  const { rows } = await db.query<Lease>({
    name: 'smpp-select-lease',
    text: `SELECT ${LEASE_COLUMNS} FROM smpp_leases WHERE supplier_id = $1 AND reference = $2`,
    values: [supplierId, reference],
  })
  return rows[0] ?? null
}

/** Marks a reference as one that will never buy, unless it has bought already. */
export async function refuseReference(db: Db, refusal: { supplierId: number; reference: string; now: Date }) {
  await db.query({
    name: 'smpp-refuse-reference',
    text: `INSERT INTO smpp_leases (supplier_id, reference, state, created_at) VALUES ($1, $2, 'refused', $3)
      ON CONFLICT ON CONSTRAINT smpp_leases_reference DO NOTHING`,
    values: [refusal.supplierId, refusal.reference, refusal.now],
  })
}

/**
 * Ends a lease and decides the number's future with the service: spent after a code, when the buyer found it used, or
 * when it was offered often enough; else it can be offered again. Nothing changes for a lease that has ended.
 */
export async function endLease(
  db: Db,
  end: { supplierId: number; reference: string; ending: Ending; now: Date },
): Promise<void> {
  await db.query({
    name: 'smpp-end-lease',
    text: `WITH ended AS (
        UPDATE smpp_leases SET state = 'ended', ending = $3, ended_at = $4
        WHERE supplier_id = $1 AND reference = $2 AND state = 'leased' AND hours IS NULL
        RETURNING phone, service_code, ending
      )
      UPDATE smpp_number_uses u SET changed_at = $4, state = CASE
          WHEN ended.ending IN ('cancelled', 'expired') AND u.times_offered < ${MAX_OFFERS} THEN 'returned'
          ELSE 'spent' END
      FROM ended WHERE u.phone = ended.phone AND u.service_code = ended.service_code AND u.state = 'leased'`,
    values: [end.supplierId, end.reference, end.ending, end.now],
  })
}

export type Stock = { serviceCode: string; countryId: number; operator: string; stock: number }

/**
 * How many numbers each of the services could be sold now: all enabled numbers of a country and operator that nobody
 * rents, less those leased or spent for the service. Counted in groups: no row is looked at per number and service that
 * was never sold.
 */
export async function countStock(db: Db, supplierId: number, serviceCodes: readonly string[]): Promise<Stock[]> {
  const { rows } = await db.query<Stock>({
    name: 'smpp-count-stock',
    text: `WITH numbers AS (
        SELECT country_id, operator, count(*) AS amount FROM smpp_numbers
        WHERE supplier_id = $1 AND enabled AND rent_state = 'free' GROUP BY country_id, operator
      ), unavailable AS (
        SELECT service_code, country_id, operator, count(*) AS amount FROM smpp_number_uses
        WHERE supplier_id = $1 AND state <> 'returned' GROUP BY service_code, country_id, operator
      ), elsewhere AS (
        SELECT u.service_code, u.country_id, u.operator, count(*) AS amount
        FROM smpp_numbers n JOIN smpp_number_uses u USING (phone)
        WHERE n.supplier_id = $1 AND NOT (n.enabled AND n.rent_state = 'free') AND u.state <> 'returned'
        GROUP BY u.service_code, u.country_id, u.operator
      )
      SELECT service_code AS "serviceCode", country_id AS "countryId", operator,
        (numbers.amount - COALESCE(unavailable.amount, 0) + COALESCE(elsewhere.amount, 0))::integer AS stock
      FROM numbers CROSS JOIN unnest($2::text[]) AS wanted (service_code)
      LEFT JOIN unavailable USING (service_code, country_id, operator)
      LEFT JOIN elsewhere USING (service_code, country_id, operator)`,
    values: [supplierId, serviceCodes],
  })
  return rows
}
