import { FULL_NUMBER } from '#contract/rental.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db, Pool } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { CLOSED_NUMBERS } from './closed-numbers.ts'
import { countsAsOffer, LEASE_COLUMNS, type Lease, type LeaseAttempt, type LeaseWish } from './leases.ts'
import { MAX_OFFERS } from './sale-sql.ts'

export type RentWish = LeaseWish & { hours: number }

export type RentAttempt =
  | Exclude<LeaseAttempt, { outcome: 'none' | 'leased' }>
  | { outcome: 'leased'; lease: Lease; position: bigint }
  | { outcome: 'none' }

/**
 * Reserves a number for a rental. The number is in no order, may be sold to the buyer, and is not spent for the
 * service. Two statements are needed, because only the second sees what was committed before the lock of the first.
 * `wait` waits for a locked number instead of skipping it.
 */
export async function insertRentLease(pool: Pool, wish: RentWish, { wait }: { wait: boolean }): Promise<RentAttempt> {
  try {
    return await transaction(pool, async (tx) => {
      const found = await lockRentable(tx, wish, { wait })
      if (found === null) return { outcome: 'none' }
      const lease = await leaseRented(tx, found.phone, wish)
      return lease === null ? { outcome: 'raced' } : { outcome: 'leased', lease, position: found.position }
    })
  } catch (error) {
    if (isUniqueViolation(error, 'smpp_leases_reference')) return { outcome: 'known' }
    throw error
  }
}

const STANDING = `SELECT FROM smpp_number_uses u WHERE u.phone = n.phone AND (u.state = 'leased'
  OR (u.state = 'spent' AND ($serviceCode = '${FULL_NUMBER}' OR u.service_code = $serviceCode)))`

type Rentable = { phone: string; position: bigint }
async function lockRentable(tx: Db, wish: RentWish, { wait }: { wait: boolean }): Promise<Rentable | null> {
  const anyOperator = wish.operator === null
  const { rows } = await tx.query<Rentable>({
    name: `smpp-lock-rentable${wait ? '-waiting' : ''}${anyOperator ? '' : '-operator'}`,
    text: `WITH closed AS MATERIALIZED (${CLOSED_NUMBERS})
      SELECT n.phone, n.position FROM smpp_numbers n
      WHERE n.supplier_id = $supplierId AND n.country_id = $countryId AND n.enabled AND n.rent_state = 'free'
        AND n.position >= $fromPosition ${anyOperator ? '' : 'AND n.operator = $operator'} AND NOT EXISTS (${STANDING})
        AND n.phone NOT IN (SELECT phone FROM closed)
        AND NOT smpp_number_closed(n.phone, $buyerId, $serviceCode, $family, $sendersKnown, $exclusive, $now)
      ORDER BY n.position LIMIT 1 FOR UPDATE OF n ${wait ? '' : 'SKIP LOCKED'}`,
    values: wish,
  })
  return rows[0] ?? null
}

/** Reserves a number that the caller has locked, so nobody can sell, release or disable it before the commit. */
async function leaseRented(tx: Db, phone: string, wish: RentWish): Promise<Lease | null> {
  const { rows } = await tx.query<Lease>({
    name: 'smpp-lease-rented',
    text: `WITH used AS (
        INSERT INTO smpp_number_uses AS u
          (phone, service_code, supplier_id, country_id, operator, state, times_offered, changed_at)
        SELECT n.phone, $serviceCode, $supplierId, n.country_id, n.operator, 'leased', 1, $now FROM smpp_numbers n
        WHERE n.phone = $phone AND NOT EXISTS (${STANDING})
          AND NOT smpp_number_closed(n.phone, $buyerId, $serviceCode, $family, $sendersKnown, $exclusive, $now)
        ON CONFLICT (phone, service_code) DO UPDATE
          SET state = 'leased', times_offered = u.times_offered + 1, changed_at = $now
          WHERE u.state = 'returned' AND u.times_offered < ${MAX_OFFERS}
        RETURNING u.phone, u.operator
      ), taken AS (
        UPDATE smpp_numbers n SET rent_state = 'rented' FROM used WHERE n.phone = used.phone
      )
      INSERT INTO smpp_leases (supplier_id, reference, state, phone, service_code, operator, hours, cost_micros, currency,
        created_at, expires_at, buyer_id, family, senders_known)
      SELECT $supplierId, $reference, 'leased', phone, $serviceCode, operator, $hours, $costMicros, $currency, $now,
        $expiresAt, $buyerId, NULLIF($family, $serviceCode), $sendersKnown FROM used
      RETURNING ${LEASE_COLUMNS}`,
    values: { ...wish, phone },
  })
  return rows[0] ?? null
}

/**
 * Ends a rental. A number without a message can be offered again, behind all other numbers, because scans only look
 * forward. A number with messages is spent for the service, or retired if it was rented for all services. A rental that
 * has already ended does not change.
 */
export async function endRentLease(
  db: Db,
  end: { supplierId: number; reference: string; unsold: boolean; now: Date },
): Promise<void> {
  await db.query({
    name: 'smpp-end-rent-lease',
    text: `WITH heard AS (
        SELECT EXISTS (SELECT FROM messages m JOIN smpp_leases l USING (phone)
          WHERE l.supplier_id = $supplierId AND l.reference = $reference AND m.rental_id IS NOT NULL
            AND m.received_at >= l.created_at
        ) AS something
      ), ended AS (
        UPDATE smpp_leases SET state = 'ended', ended_at = $now,
          ending = CASE WHEN $unsold::boolean THEN 'unsold' WHEN (SELECT something FROM heard) THEN 'finished'
            ELSE 'cancelled' END
        WHERE supplier_id = $supplierId AND reference = $reference AND state = 'leased' AND hours IS NOT NULL
        RETURNING phone, service_code, ending, buyer_id
      ), freed AS (
        UPDATE smpp_numbers n SET position = DEFAULT, rent_state =
          CASE WHEN ended.ending = 'finished' AND ended.service_code = '${FULL_NUMBER}' THEN 'retired' ELSE 'free' END
        FROM ended WHERE n.phone = ended.phone
        RETURNING n.phone, ended.service_code, ended.ending, (ending <> 'unsold' AND ${countsAsOffer('ended')})::integer AS offers
      )
      UPDATE smpp_number_uses u SET changed_at = $now, times_offered = GREATEST(1, u.times_offered - 1 + freed.offers), state =
        CASE WHEN freed.ending = 'unsold' OR freed.ending = 'cancelled' AND u.times_offered - 1 + freed.offers < ${MAX_OFFERS}
          THEN 'returned' ELSE 'spent' END
      FROM freed WHERE u.phone = freed.phone AND u.service_code = freed.service_code AND u.state = 'leased'`,
    values: end,
  })
}

export type RentedNumber = { serviceCode: string; countryId: number; enabled: boolean }

export async function selectRented(db: Db, supplierId: number, reference: string): Promise<RentedNumber | null> {
  const { rows } = await db.query<RentedNumber>({
    name: 'smpp-select-rented',
    text: `SELECT l.service_code AS "serviceCode", n.country_id AS "countryId", n.enabled
      FROM smpp_leases l JOIN smpp_numbers n USING (phone)
      WHERE l.supplier_id = $1 AND l.reference = $2 AND l.state = 'leased' AND l.hours IS NOT NULL`,
    values: [supplierId, reference],
  })
  return rows[0] ?? null
}

/**
 * Extends a rental and returns the cost, or null if the extension is refused. A repeated extension reference gets the
 * first result.
 */
export async function extendRentLease(
  db: Db,
  extension: {
    supplierId: number
    extensionReference: string
    reference: string
    hours: number
    costMicros: bigint | null
    expiresAt: Date
    now: Date
  },
): Promise<bigint | null> {
  const { supplierId, extensionReference } = extension
  await db.query({
    name: 'smpp-extend-rent-lease',
    text: `WITH lease AS (
        SELECT reference FROM smpp_leases
        WHERE supplier_id = $supplierId AND reference = $reference AND state = 'leased' AND hours IS NOT NULL FOR UPDATE
      ), answered AS (
        INSERT INTO smpp_rent_extensions (supplier_id, reference, lease, hours, cost_micros, created_at)
        SELECT $supplierId, $extensionReference, $reference, $hours,
          CASE WHEN EXISTS (SELECT FROM lease) THEN $costMicros::bigint END, $now
        ON CONFLICT ON CONSTRAINT smpp_rent_extensions_reference DO NOTHING
        RETURNING lease, hours, cost_micros
      )
      UPDATE smpp_leases l SET hours = l.hours + answered.hours, expires_at = $expiresAt
      FROM answered WHERE l.supplier_id = $supplierId AND l.reference = answered.lease
        AND answered.cost_micros IS NOT NULL`,
    values: extension,
  })
  const { rows } = await db.query<{ costMicros: bigint | null }>({
    name: 'smpp-select-extension',
    text: `SELECT cost_micros AS "costMicros" FROM smpp_rent_extensions WHERE supplier_id = $1 AND reference = $2`,
    values: [supplierId, extensionReference],
  })
  const [row] = rows
  if (row === undefined) throw new Error('the answer to an extension was not kept')
  return row.costMicros
}
