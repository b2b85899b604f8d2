import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'
import { LEASE_COLUMNS, type Lease, type LeaseWish } from './leases.ts'
import type { RentAttempt } from './rent-leases.ts'
import { closedToBuyer, leaseNumber } from './sale-sql.ts'

type RepeatWish = Omit<LeaseWish, 'fromPosition'> & { repeatOf: string }

/**
 * Reserves exactly the number on which this buyer had a code for this service. As in `insertLease`, the number's row is
 * locked before its row in `smpp_number_uses`, and `smpp_number_closed` is checked again under the lock.
 */
export async function insertRepeatedLease(db: Db, wish: RepeatWish): Promise<RentAttempt> {
  try {
    const { rows } = await db.query<Lease & { position: bigint }>({
      name: 'smpp-insert-repeated-lease',
      text: `WITH found AS (
          SELECT n.phone, n.position FROM smpp_numbers n
          WHERE n.phone = $repeatOf AND n.supplier_id = $supplierId AND n.country_id = $countryId AND n.enabled
            AND n.rent_state = 'free' AND ($operator::text IS NULL OR n.operator = $operator) AND NOT ${closedToBuyer('n.phone')}
            AND EXISTS (SELECT FROM smpp_leases l WHERE l.phone = n.phone AND l.state = 'ended' AND l.ending <> 'unsold'
              AND l.ending = 'finished' AND l.service_code = $serviceCode AND l.buyer_id = $buyerId)
          FOR UPDATE OF n
        ), used AS (
          UPDATE smpp_number_uses u SET state = 'leased', changed_at = $now FROM found
          WHERE u.phone = found.phone AND u.service_code = $serviceCode AND u.state = 'spent' AND NOT ${closedToBuyer('u.phone')}
          RETURNING u.phone, u.operator, found.position
        ), lease AS (
          ${leaseNumber('used', { reference: '$reference', currency: '$currency' })}
          RETURNING ${LEASE_COLUMNS}
        )
        SELECT lease.*, used.position FROM lease, used`,
      values: wish,
    })
    const [lease] = rows
    return lease === undefined ? { outcome: 'none' } : { outcome: 'leased', lease, position: lease.position }
  } catch (error) {
    if (isUniqueViolation(error, 'smpp_leases_reference')) return { outcome: 'known' }
    if (isUniqueViolation(error, 'smpp_leases_one_holder')) return { outcome: 'raced' }
    throw error
  }
}
