import type { Ending } from '#server/core/suppliers/supplier.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'
import { isTrusted, isWeighed } from '#server/house/money/accounts.ts'
import {
  closedToBuyer,
  findNumber,
  IN_VAIN,
  leaseNumber,
  MAX_OFFERS,
  markLeased,
  NEVER_OFFERED_FROM,
  TRIED_IN_VAIN,
} from './sale-sql.ts'

export type Lease = {
  reference: string
  state: 'leased' | 'ended' | 'refused'
  phone: string | null
  operator: string | null
  costMicros: bigint | null
}

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
  /** The position where the scan starts. All numbers before it have been offered for the service. */
  fromPosition: bigint
  excludedPrefixes?: readonly string[]
}

/**
 * The result of an attempt to reserve a number. `position` is that of the first number never offered for the service.
 * `takenAt` is that of the reserved number, or null if it was offered before.
 */
export type LeaseAttempt =
  | { outcome: 'leased'; lease: Lease; position: bigint; takenAt: bigint | null }
  | { outcome: 'known' }
  | { outcome: 'raced' }
  | { outcome: 'none'; position: bigint }

export const LEASE_COLUMNS = 'reference, state, phone, operator, cost_micros AS "costMicros"'

/**
 * SQL that is true if an ended lease (alias `lease`) counts as an offer of the number. For an untrusted buyer only the
 * first lease of a number for a service counts, and only while their reports have weight. Otherwise up to four accounts
 * could make a range unsaleable at no cost by buying and cancelling.
 */
export function countsAsOffer(lease: string): string {
  return `(NOT EXISTS (SELECT FROM smpp_number_uses u JOIN smpp_leases l ON ${TRIED_IN_VAIN}
      WHERE u.phone = ${lease}.phone AND u.service_code = ${lease}.service_code AND l.buyer_id = ${lease}.buyer_id)
      AND ${isWeighed(`${lease}.buyer_id`, { at: '$now' })}
    OR ${isTrusted(`${lease}.buyer_id`)})`
}

/** Reserves one number in one statement (`findNumber`). `smpp_number_closed` is called again under the number's lock. */
export async function insertLease(db: Db, wish: LeaseWish, { patient }: { patient: boolean }): Promise<LeaseAttempt> {
  type Row = Lease & { found: boolean; position: bigint; takenAt: bigint | null }
  const anyOperator = wish.operator === null
  try {
    const { rows } = await db.query<Row>({
      name: `smpp-insert-lease${patient ? '-patient' : ''}${anyOperator ? '' : '-operator'}`,
      text: leaseStatement({ anyOperator, patient }),
      values: { ...wish, excludedPrefixes: wish.excludedPrefixes ?? [] },
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
    // Two concurrent statements saw a free number, and the unique index let only one reserve it.
    if (isUniqueViolation(error, 'smpp_leases_one_holder')) return { outcome: 'raced' }
    throw error
  }
}

function leaseStatement({ anyOperator, patient }: { anyOperator: boolean; patient: boolean }): string {
  return `WITH ${findNumber({ anyOperator, patient, seed: '$reference' })},
    ${markLeased(`found WHERE NOT ${closedToBuyer('phone')}`)}, lease AS (
      ${leaseNumber('used', { reference: '$reference', currency: '$currency' })}
      RETURNING ${LEASE_COLUMNS}
    )
    SELECT lease.*, found.phone IS NOT NULL AS found, found.position AS "takenAt", ${NEVER_OFFERED_FROM} AS position
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

export async function refuseReference(db: Db, refusal: { supplierId: number; reference: string; now: Date }) {
  await db.query({
    name: 'smpp-refuse-reference',
    text: `INSERT INTO smpp_leases (supplier_id, reference, state, created_at) VALUES ($1, $2, 'refused', $3)
      ON CONFLICT ON CONSTRAINT smpp_leases_reference DO NOTHING`,
    values: [refusal.supplierId, refusal.reference, refusal.now],
  })
}

/** The age from which a sale without a message counts. In a shorter sale the number may have been used nowhere. */
const SILENT_AFTER = `interval '5 minutes'`

/**
 * SQL that is true if a sale counts as one without any message. Otherwise five accounts could take a whole range off
 * sale at no cost, by buying and using no number.
 */
const COUNTS_AS_SILENT = `(NOT EXISTS (SELECT FROM smpp_leases l
  WHERE l.phone = ended.phone AND l.buyer_id = ended.buyer_id AND ${IN_VAIN})
  AND ${isWeighed('ended.buyer_id', { at: '$now' })} OR ${isTrusted('ended.buyer_id')})`

const SPENT_BY_OFFERS = `u.times_offered - 1 + ended.offers >= ${MAX_OFFERS}`

/**
 * Ends a lease. A number is spent (no longer sold) for a service after a code, report of use, or too many offers. A
 * lease that no buyer was shown counts as no offer, nor does a lease that `countsAsOffer` leaves out. A number with a
 * code that was sold to the same buyer again stays spent. An ended lease does not change. Sales without any message are
 * counted, for an untrusted buyer only one. The count is skipped if somebody holds the row's lock.
 */
export async function endLease(
  db: Db,
  end: { supplierId: number; reference: string; ending: Ending; silentSales: number; now: Date },
): Promise<void> {
  await db.query({
    name: 'smpp-end-lease',
    text: `WITH ended AS (
        UPDATE smpp_leases SET state = 'ended', ending = $ending, ended_at = $now
        WHERE supplier_id = $supplierId AND reference = $reference AND state = 'leased' AND hours IS NULL
        RETURNING phone, service_code, ending, created_at, buyer_id
      ), weighed AS (
        SELECT ended.*, (ending <> 'unsold' AND ${countsAsOffer('ended')})::integer AS offers FROM ended
      ), sale AS (
        SELECT n.phone, CASE WHEN ended.ending = 'finished' THEN 0 ELSE n.silent_sales + 1 END AS silent
        FROM ended JOIN smpp_numbers n ON n.phone = ended.phone
        WHERE CASE WHEN ended.ending = 'finished' THEN n.silent_sales > 0
          WHEN ended.ending = 'expired' OR ended.ending = 'cancelled' AND ended.created_at <= $now::timestamptz - ${SILENT_AFTER}
          THEN NOT EXISTS (SELECT FROM messages m WHERE m.phone = ended.phone AND m.received_at >= ended.created_at)
            AND ${COUNTS_AS_SILENT}
          ELSE false END
        FOR UPDATE OF n SKIP LOCKED
      ), counted AS (
        UPDATE smpp_numbers n SET silent_sales = sale.silent,
          silent_at = CASE WHEN n.enabled AND sale.silent >= $silentSales THEN $now ELSE n.silent_at END,
          enabled = n.enabled AND sale.silent < $silentSales
        FROM sale WHERE n.phone = sale.phone RETURNING n.phone, n.silent_at, n.silent_sales
      ), told AS (
        INSERT INTO supplier_events (supplier_id, at, kind, reason)
        SELECT $supplierId, $now, 'number-aside', phone || ': no message through ' || silent_sales || ' sales'
        FROM counted WHERE silent_at = $now
      )
      UPDATE smpp_number_uses u SET changed_at = $now, times_offered = GREATEST(1, u.times_offered - 1 + ended.offers),
        silent_at = CASE WHEN ended.ending IN ('cancelled', 'expired') AND ${SPENT_BY_OFFERS} THEN $now::timestamptz END,
        state = CASE
          WHEN EXISTS (SELECT FROM burnt_numbers b WHERE b.phone = u.phone AND b.service_code = u.service_code) THEN 'spent'
          WHEN ended.ending = 'unsold' OR ended.ending IN ('cancelled', 'expired') AND NOT (${SPENT_BY_OFFERS})
          THEN 'returned' ELSE 'spent' END
      FROM weighed ended WHERE u.phone = ended.phone AND u.service_code = ended.service_code AND u.state = 'leased'`,
    values: end,
  })
}
