import type { Ending } from '#server/core/suppliers/supplier.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'
import { isTrusted, isWeighed } from '#server/house/money/accounts.ts'
import { CLOSED_NUMBERS } from './closed-numbers.ts'

/** The maximum number of offers of one number for one service. A number that got no code is offered again. */
export const MAX_OFFERS = 4

/** The number of candidates among which concurrent buyers choose. Fewer candidates would cause races for one number. */
const SPREAD = 32

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

/** SQL condition for leases that ended without a code. The index `smpp_leases_tried` finds those of a buyer. */
const IN_VAIN = `l.state = 'ended' AND l.ending IN ('cancelled', 'expired')`

/** SQL condition for a number's leases for one service (row `u`) without a code since staff last put it on sale. */
const TRIED_IN_VAIN = `l.phone = u.phone AND l.service_code = u.service_code AND ${IN_VAIN}
      AND (u.restored_at IS NULL OR l.ended_at > u.restored_at)`

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

/**
 * Reserves one number in one statement. Numbers never offered for the service come first, then those offered least.
 * `patient` scans all the numbers and waits for locked ones. Otherwise the scan is short and skips them. An untrusted
 * buyer does not get a number again on which they had no code for the service. The number's row is locked until the
 * commit, and before its row in `smpp_number_uses`, so that rentals wait. `smpp_number_closed` is called again under
 * the lock. The buyer's earlier numbers (`tried`) are read first, because one read of them all is faster than a check
 * for each number. "Never offered" is a scalar subquery, because NOT EXISTS makes the planner read the whole table of
 * uses (25 ms instead of 1).
 */
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
  const ofOperator = (table: string) => (anyOperator ? '' : `AND ${table}.operator = $operator`)
  const locking = patient ? '' : 'SKIP LOCKED'
  const closed = (phone: string) =>
    `smpp_number_closed(${phone}, $buyerId, $serviceCode, $family, $sendersKnown, $exclusive, $now)`
  const wanted = (phone: string) => `NOT (${phone} ^@ ANY ($excludedPrefixes::text[]))`
  // The set replaces most calls of `smpp_number_closed`, which take 10 µs each and add up over thousands of numbers.
  const notClosed = (phone: string) => (patient ? `AND ${phone} NOT IN (SELECT phone FROM closed)` : '')
  const neverOffered = `FROM smpp_numbers n
      WHERE n.supplier_id = $supplierId AND n.country_id = $countryId AND n.enabled AND n.rent_state = 'free'
        AND n.position >= $fromPosition
        ${ofOperator('n')}
        AND (SELECT u.state FROM smpp_number_uses u WHERE u.phone = n.phone AND u.service_code = $serviceCode) IS NULL`
  // The first few numbers are shuffled, so that concurrent buyers get different ones. A patient scan skips numbers that
  // may not be sold now.
  return `WITH ${patient ? `closed AS MATERIALIZED (${CLOSED_NUMBERS}), ` : ''}first AS (SELECT n.position ${neverOffered} ORDER BY n.position LIMIT 1
    ), next AS MATERIALIZED (
      SELECT phone FROM (SELECT n.phone ${neverOffered} ${patient ? `AND ${wanted('n.phone')} ${notClosed('n.phone')}` : ''}
        ORDER BY n.position LIMIT ${SPREAD}) few ORDER BY hashtext(phone || $reference)
    ), fresh AS (
      SELECT n.phone, n.country_id, n.operator, n.position FROM next JOIN smpp_numbers n USING (phone)
      WHERE n.enabled AND n.rent_state = 'free' AND ${wanted('n.phone')} AND NOT ${closed('n.phone')} LIMIT 1 FOR UPDATE OF n ${locking}
    ), tried AS MATERIALIZED (
      SELECT l.phone FROM smpp_leases l JOIN smpp_number_uses u ON ${TRIED_IN_VAIN}
      WHERE l.buyer_id = $buyerId AND l.service_code = $serviceCode AND l.hours IS NULL
    ), returned AS (
      SELECT u.phone, u.country_id, u.operator, NULL::bigint FROM smpp_number_uses u JOIN smpp_numbers n USING (phone)
      WHERE u.supplier_id = $supplierId AND u.service_code = $serviceCode AND u.country_id = $countryId
        AND u.state = 'returned' ${ofOperator('u')}
        AND NOT EXISTS (SELECT FROM fresh) AND n.enabled AND n.rent_state = 'free' AND ${wanted('u.phone')}
        AND (u.phone NOT IN (SELECT phone FROM tried) OR ${isTrusted('$buyerId')})
        ${notClosed('u.phone')} AND NOT ${closed('u.phone')}
      ORDER BY u.times_offered, u.changed_at LIMIT 1 FOR UPDATE OF n ${locking} FOR UPDATE OF u ${locking}
    ), found AS (SELECT * FROM fresh UNION ALL SELECT * FROM returned
    ), used AS (
      INSERT INTO smpp_number_uses AS u
        (phone, service_code, supplier_id, country_id, operator, state, times_offered, changed_at)
      SELECT phone, $serviceCode, $supplierId, country_id, operator, 'leased', 1, $now FROM found
      WHERE NOT ${closed('phone')}
      ON CONFLICT (phone, service_code) DO UPDATE
        SET state = 'leased', times_offered = u.times_offered + 1, changed_at = $now
        WHERE u.state = 'returned' AND u.times_offered < ${MAX_OFFERS}
      RETURNING u.phone, u.operator
    ), lease AS (
      INSERT INTO smpp_leases (supplier_id, reference, state, phone, service_code, operator, cost_micros, currency, created_at,
        expires_at, buyer_id, family, senders_known)
      SELECT $supplierId, $reference, 'leased', phone, $serviceCode, operator, $costMicros, $currency, $now, $expiresAt,
        $buyerId, NULLIF($family, $serviceCode), $sendersKnown FROM used
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
