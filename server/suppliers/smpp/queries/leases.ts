import { isUniqueViolation } from '#server/db/constraint.ts'
import type { Db } from '#server/db/pool.ts'
import type { Ending } from '#server/suppliers/supplier.ts'
import { closedNumbers } from './closed-numbers.ts'

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

/** Whom a number is for, and what counts for sharing it: the arguments of `smpp_number_closed` (migrations/0071_unsold_leases.sql). */
export type SaleRule = { buyerId: number; family: string; sendersKnown: boolean; exclusive: boolean }

export type LeaseWish = SaleRule & {
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
  excludedPrefixes?: readonly string[]
}

/**
 * `position`: before it no number was found that had never been offered for the service. `takenAt`: where the one that was
 * taken stood, if it was such a number.
 */
export type LeaseAttempt =
  | { outcome: 'leased'; lease: Lease; position: bigint; takenAt: bigint | null }
  /** The reference has a row already: another call was first. */
  | { outcome: 'known' }
  /** A number was found, but someone else had it by the time we took it. */
  | { outcome: 'raced' }
  | { outcome: 'none'; position: bigint }

export const LEASE_COLUMNS = 'reference, state, phone, operator, cost_micros AS "costMicros"'

/**
 * Takes one number in one statement: one that was never offered for the service if there is one, else the one given back
 * that was offered least. With `patient` every number of the range is looked at, and one that someone is just taking
 * (perhaps for another service) is waited for; without it only the next few are, and one that is being taken is passed over.
 *
 * Either way the number itself is locked, before its use: renting one out waits for that, and is seen once it is done. Whether
 * it is closed to this buyer is asked again under that lock, which each lease of a number holds until its commit.
 *
 * "Never offered" is asked number by number (a scalar subquery) and not as NOT EXISTS: of a service that is new the
 * planner knows no rows, and then joins by reading all uses of it once a purchase (measured: 25 ms instead of 1).
 */
export async function insertLease(db: Db, wish: LeaseWish, { patient }: { patient: boolean }): Promise<LeaseAttempt> {
  type Row = Lease & { found: boolean; position: bigint; takenAt: bigint | null }
  const anyOperator = wish.operator === null
  try {
    const { rows } = await db.query<Row>({
      name: `smpp-insert-lease${patient ? '-patient' : ''}${anyOperator ? '' : '-operator'}`,
      text: leaseStatement({ anyOperator, patient }),
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
        wish.buyerId,
        wish.family,
        wish.sendersKnown,
        wish.exclusive,
        wish.excludedPrefixes ?? [],
        ...(anyOperator ? [] : [wish.operator]),
      ],
    })
    const [row] = rows
    if (row === undefined) throw new Error('the lease statement returned no row')
    if (row.phone !== null) {
      const { position, takenAt } = row
      return { outcome: 'leased', lease: row, position, takenAt }
    }
    return row.found ? { outcome: 'raced' } : { outcome: 'none', position: row.position }
  } catch (error) {
    if (isUniqueViolation(error, 'smpp_leases_reference')) return { outcome: 'known' }
    // Two statements that both saw the number free: the index let one of them have it.
    if (isUniqueViolation(error, 'smpp_leases_one_holder')) return { outcome: 'raced' }
    throw error
  }
}

function leaseStatement({ anyOperator, patient }: { anyOperator: boolean; patient: boolean }): string {
  const ofOperator = (table: string) => (anyOperator ? '' : `AND ${table}.operator = $15`)
  const locking = patient ? '' : 'SKIP LOCKED'
  const closed = (phone: string) => `smpp_number_closed(${phone}, $10, $3, $11, $12, $13, $8)`
  const wanted = (phone: string) => `NOT (${phone} ^@ ANY ($14::text[]))`
  // Asked of thousands of numbers, the function alone took 10 µs each.
  const notClosed = (phone: string) => (patient ? `AND ${phone} NOT IN (SELECT phone FROM closed)` : '')
  const neverOffered = `FROM smpp_numbers n
      WHERE n.supplier_id = $1 AND n.country_id = $4 AND n.enabled AND n.rent_state = 'free' AND n.position >= $9
        ${ofOperator('n')}
        AND (SELECT u.state FROM smpp_number_uses u WHERE u.phone = n.phone AND u.service_code = $3) IS NULL`
  // The first few are shuffled before they are asked about, so that mostly one is; patiently, whatever is closed is skipped.
  const parameters = { supplier: '$1', now: '$8', buyer: '$10', family: '$11', known: '$12', alone: '$13' }
  return `WITH ${patient ? `closed AS MATERIALIZED (${closedNumbers(parameters)}), ` : ''}first AS (SELECT n.position ${neverOffered} ORDER BY n.position LIMIT 1
    ), next AS MATERIALIZED (
      SELECT phone FROM (SELECT n.phone ${neverOffered} ${patient ? `AND ${wanted('n.phone')} ${notClosed('n.phone')}` : ''}
        ORDER BY n.position LIMIT ${SPREAD}) few ORDER BY hashtext(phone || $2)
    ), fresh AS (
      SELECT n.phone, n.country_id, n.operator, n.position FROM next JOIN smpp_numbers n USING (phone)
      WHERE n.enabled AND n.rent_state = 'free' AND ${wanted('n.phone')} AND NOT ${closed('n.phone')} LIMIT 1 FOR UPDATE OF n ${locking}
    ), returned AS (
      SELECT u.phone, u.country_id, u.operator, NULL::bigint FROM smpp_number_uses u JOIN smpp_numbers n USING (phone)
      WHERE u.supplier_id = $1 AND u.service_code = $3 AND u.country_id = $4 AND u.state = 'returned' ${ofOperator('u')}
        AND NOT EXISTS (SELECT FROM fresh) AND n.enabled AND n.rent_state = 'free' AND ${wanted('u.phone')}
        ${notClosed('u.phone')} AND NOT ${closed('u.phone')}
      ORDER BY u.times_offered, u.changed_at LIMIT 1 FOR UPDATE OF n ${locking} FOR UPDATE OF u ${locking}
    ), found AS (SELECT * FROM fresh UNION ALL SELECT * FROM returned
    ), used AS (
      INSERT INTO smpp_number_uses AS u
        (phone, service_code, supplier_id, country_id, operator, state, times_offered, changed_at)
      SELECT phone, $3, $1, country_id, operator, 'leased', 1, $8 FROM found WHERE NOT ${closed('phone')}
      ON CONFLICT (phone, service_code) DO UPDATE
        SET state = 'leased', times_offered = u.times_offered + 1, changed_at = $8
        WHERE u.state = 'returned' AND u.times_offered < ${MAX_OFFERS}
      RETURNING u.phone, u.operator
    ), lease AS (
      INSERT INTO smpp_leases (supplier_id, reference, state, phone, service_code, operator, cost_micros, currency, created_at,
        expires_at, buyer_id, family, senders_known)
      SELECT $1, $2, 'leased', phone, $3, operator, $5, $6, $8, $7, $10, NULLIF($11, $3), $12 FROM used
      RETURNING ${LEASE_COLUMNS}
    )
    SELECT lease.*, found.phone IS NOT NULL AS found, found.position AS "takenAt",
      COALESCE((SELECT position FROM first), (SELECT last_value FROM smpp_numbers_positions)) AS position
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
 * when it was offered often enough; else it can be offered again, and one that nobody was shown was no offer. Nothing changes for a lease that has ended.
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
          WHEN ended.ending = 'unsold' OR ended.ending IN ('cancelled', 'expired') AND u.times_offered < ${MAX_OFFERS}
          THEN 'returned' ELSE 'spent' END,
        times_offered = GREATEST(1, u.times_offered - (ended.ending = 'unsold')::integer)
      FROM ended WHERE u.phone = ended.phone AND u.service_code = ended.service_code AND u.state = 'leased'`,
    values: [end.supplierId, end.reference, end.ending, end.now],
  })
}
