import type { StockSale } from '#server/core/suppliers/supplier.ts'
import { isTrusted } from '#server/house/money/accounts.ts'
import { CLOSED_NUMBERS } from './closed-numbers.ts'

/** The maximum number of offers of one number for one service. A number that got no code is offered again. */
export const MAX_OFFERS = 4

/** The number of candidates among which concurrent buyers choose. Fewer candidates would cause races for one number. */
const SPREAD = 32

/** SQL condition for leases that ended without a code. The index `smpp_leases_tried` finds those of a buyer. */
export const IN_VAIN = `l.state = 'ended' AND l.ending IN ('cancelled', 'expired')`

/** SQL condition for a number's leases for one service (row `u`) without a code since staff last put it on sale. */
export const TRIED_IN_VAIN = `l.phone = u.phone AND l.service_code = u.service_code AND ${IN_VAIN}
      AND (u.restored_at IS NULL OR l.ended_at > u.restored_at)`

/** SQL for the position of the first number that was never offered for the service, after the CTEs of `findNumber`. */
export const NEVER_OFFERED_FROM =
  'COALESCE((SELECT position FROM first), (SELECT last_value FROM smpp_numbers_positions))'

/** SQL: true if the number `phone` may not be sold to the buyer now. */
export function closedToBuyer(phone: string): string {
  return `smpp_number_closed(${phone}, $buyerId, $serviceCode, $family, $sendersKnown, $exclusive, $now)`
}

/**
 * SQL of CTEs that find one number for the buyer. The last one, `found`, has at most one row: phone, country_id,
 * operator and position. Numbers never offered for the service come first, then those offered least. `patient` scans
 * all the numbers and waits for locked ones. Otherwise the scan is short and skips them. An untrusted buyer does not get
 * a number again on which they had no code for the service. The number's row is locked until the commit, and before its
 * row in `smpp_number_uses`, so that rentals wait. The buyer's earlier numbers (`tried`) are read first, because one read
 * of them all is faster than a check for each number. "Never offered" is a scalar subquery, because NOT EXISTS makes the
 * planner read the whole table of uses (25 ms instead of 1). The SQL text `seed` shuffles the first few numbers, so that
 * concurrent buyers get different ones. Nothing is looked for unless the SQL condition `when` is true.
 */
export function findNumber(scan: { anyOperator: boolean; patient: boolean; seed: string; when?: string }): string {
  const { anyOperator, patient, seed, when = 'true' } = scan
  const ofOperator = (table: string) => (anyOperator ? '' : `AND ${table}.operator = $operator`)
  const locking = patient ? '' : 'SKIP LOCKED'
  const wanted = (phone: string) => `NOT (${phone} ^@ ANY ($excludedPrefixes::text[]))`
  // The set replaces most calls of `smpp_number_closed`, which take 10 µs each and add up over thousands of numbers.
  const notClosed = (phone: string) => (patient ? `AND ${phone} NOT IN (SELECT phone FROM closed)` : '')
  const neverOffered = `FROM smpp_numbers n
      WHERE ${when} AND n.supplier_id = $supplierId AND n.country_id = $countryId AND n.enabled AND n.rent_state = 'free'
        AND n.position >= $fromPosition
        ${ofOperator('n')}
        AND (SELECT u.state FROM smpp_number_uses u WHERE u.phone = n.phone AND u.service_code = $serviceCode) IS NULL`
  // A patient scan skips numbers that may not be sold now.
  return `${patient ? `closed AS MATERIALIZED (${CLOSED_NUMBERS}), ` : ''}first AS (SELECT n.position ${neverOffered} ORDER BY n.position LIMIT 1
    ), next AS MATERIALIZED (
      SELECT phone FROM (SELECT n.phone ${neverOffered} ${patient ? `AND ${wanted('n.phone')} ${notClosed('n.phone')}` : ''}
        ORDER BY n.position LIMIT ${SPREAD}) few ORDER BY hashtext(phone || ${seed})
    ), fresh AS (
      SELECT n.phone, n.country_id, n.operator, n.position FROM next JOIN smpp_numbers n USING (phone)
      WHERE n.enabled AND n.rent_state = 'free' AND ${wanted('n.phone')} AND NOT ${closedToBuyer('n.phone')} LIMIT 1 FOR UPDATE OF n ${locking}
    ), tried AS MATERIALIZED (
      SELECT l.phone FROM smpp_leases l JOIN smpp_number_uses u ON ${TRIED_IN_VAIN}
      WHERE l.buyer_id = $buyerId AND l.service_code = $serviceCode AND l.hours IS NULL
    ), returned AS (
      SELECT u.phone, u.country_id, u.operator, NULL::bigint FROM smpp_number_uses u JOIN smpp_numbers n USING (phone)
      WHERE ${when} AND u.supplier_id = $supplierId AND u.service_code = $serviceCode AND u.country_id = $countryId
        AND u.state = 'returned' ${ofOperator('u')}
        AND NOT EXISTS (SELECT FROM fresh) AND n.enabled AND n.rent_state = 'free' AND ${wanted('u.phone')}
        AND (u.phone NOT IN (SELECT phone FROM tried) OR ${isTrusted('$buyerId')})
        ${notClosed('u.phone')} AND NOT ${closedToBuyer('u.phone')}
      ORDER BY u.times_offered, u.changed_at LIMIT 1 FOR UPDATE OF n ${locking} FOR UPDATE OF u ${locking}
    ), found AS (SELECT * FROM fresh UNION ALL SELECT * FROM returned
    )`
}

/** SQL of a CTE `used` that marks the number of `source` as leased for the service, unless somebody was faster. */
export function markLeased(source: string): string {
  return `used AS (
      INSERT INTO smpp_number_uses AS u
        (phone, service_code, supplier_id, country_id, operator, state, times_offered, changed_at)
      SELECT phone, $serviceCode, $supplierId, country_id, operator, 'leased', 1, $now FROM ${source}
      ON CONFLICT (phone, service_code) DO UPDATE
        SET state = 'leased', times_offered = u.times_offered + 1, changed_at = $now
        WHERE u.state = 'returned' AND u.times_offered < ${MAX_OFFERS}
      RETURNING u.phone, u.operator
    )`
}

/** SQL of an INSERT that leases the number of `source` (phone, operator). */
export function leaseNumber(source: string, { reference, currency }: { reference: string; currency: string }): string {
  return `INSERT INTO smpp_leases (supplier_id, reference, state, phone, service_code, operator, cost_micros, currency, created_at,
        expires_at, buyer_id, family, senders_known)
      SELECT $supplierId, ${reference}, 'leased', phone, $serviceCode, operator, $costMicros, ${currency}, $now, $expiresAt,
        $buyerId, NULLIF($family, $serviceCode), $sendersKnown FROM ${source}`
}

/** Returns the SQL that sells a number of the operator in the statement that holds the money. */
export function saleSql(): Pick<StockSale, 'find' | 'isForBuyer' | 'lease' | 'position'> {
  const leased = leaseNumber('made', { reference: 'supplier_reference', currency: '$costCurrency' })
  return {
    find: findNumber({
      anyOperator: false,
      patient: false,
      seed: '(SELECT id FROM numbered)::text',
      when: 'EXISTS (SELECT FROM numbered)',
    }),
    isForBuyer: `NOT ${closedToBuyer('found.phone')}`,
    lease: { used: markLeased('payer'), leased: `leased AS (${leased})` },
    position: NEVER_OFFERED_FROM,
  }
}
