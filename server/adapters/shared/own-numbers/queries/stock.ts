import { FULL_NUMBER } from '#contract/rental.ts'
import { NUMBER_HELD_MS } from '#server/core/suppliers/supplier.ts'
import type { NamedValues } from '#server/house/db/named-values.ts'
import type { Db } from '#server/house/db/pool.ts'

export type Stock = { serviceCode: string; countryId: number; operator: string; stock: number }

export type CountedService = { code: string; family: string; sendersKnown: boolean }

export type StockQuestion = { supplierId: number; services: readonly CountedService[]; exclusive: boolean; now: Date }

function questionValues({ services, ...question }: StockQuestion): NamedValues {
  return {
    ...question,
    serviceCodes: services.map(({ code }) => code),
    families: services.map(({ family }) => family),
    sendersKnown: services.map(({ sendersKnown }) => sendersKnown),
  }
}

/**
 * SQL for the numbers in current and recent leases. If `alone` is set, a number may not be sold to any other account.
 * Otherwise it may not be sold for services of the same family. The time condition uses an index, so old leases cost
 * nothing.
 */
const heldBy = (leases: string, numbers: string) => `wanted AS (
        SELECT * FROM unnest($serviceCodes::text[], $families::text[], $sendersKnown::boolean[])
          AS w (service_code, family, known)
      ), held AS MATERIALIZED (
        SELECT n.phone, n.country_id, n.operator, $exclusive::boolean OR NOT bool_and(l.senders_known) AS alone,
          array_agg(DISTINCT COALESCE(l.family, l.service_code)) AS families
        FROM (${leases}) l JOIN smpp_numbers n USING (phone) WHERE ${numbers} GROUP BY n.phone
      ), closed AS (
        SELECT country_id, operator, count(*) AS to_unknown, count(*) FILTER (WHERE alone) AS to_all
        FROM held GROUP BY country_id, operator
      ), closed_family AS (
        SELECT family, country_id, operator, count(*) AS amount FROM held, unnest(families) AS family
        WHERE NOT alone GROUP BY family, country_id, operator
      )`
const HELD_FROM_SERVICE = '(NOT wanted.known OR held.alone OR wanted.family = ANY (held.families))'
const CLOSED_TO_SERVICE = `CASE WHEN known THEN COALESCE(closed.to_all, 0) + COALESCE(closed_family.amount, 0)
          ELSE COALESCE(closed.to_unknown, 0) END`

const FREE = `n.enabled AND n.rent_state = 'free'`
const LEASE = 'SELECT phone, family, service_code, senders_known FROM smpp_leases WHERE supplier_id = $supplierId'
const ENDED = `${LEASE} AND state = 'ended' AND ending <> 'unsold' AND ended_at > $now::timestamptz - interval '${NUMBER_HELD_MS} milliseconds'`

/**
 * Counts, for each service, the numbers that a buyer who had none of them could buy now. Spent numbers are counted in
 * groups, so that no row is read for each number and service.
 */
export async function countStock(db: Db, question: StockQuestion): Promise<Stock[]> {
  const { rows } = await db.query<Stock>({
    name: 'smpp-count-stock',
    text: `WITH numbers AS (
        SELECT country_id, operator, count(*) AS amount FROM smpp_numbers n
        WHERE supplier_id = $supplierId AND ${FREE} GROUP BY country_id, operator
      ), unavailable AS (
        SELECT service_code, country_id, operator, count(*) AS amount FROM smpp_number_uses
        WHERE supplier_id = $supplierId AND state <> 'returned' GROUP BY service_code, country_id, operator
      ), elsewhere AS (
        SELECT u.service_code, u.country_id, u.operator, count(*) AS amount
        FROM smpp_numbers n JOIN smpp_number_uses u USING (phone)
        WHERE n.supplier_id = $supplierId AND NOT (${FREE}) AND u.state <> 'returned'
        GROUP BY u.service_code, u.country_id, u.operator
      ), ${heldBy(`${LEASE} AND state = 'leased' UNION ALL ${ENDED}`, FREE)}, both_ways AS (
        SELECT u.service_code, u.country_id, u.operator, count(*) AS amount
        FROM held JOIN smpp_number_uses u USING (phone) JOIN wanted USING (service_code)
        WHERE u.state <> 'returned' AND ${HELD_FROM_SERVICE} GROUP BY u.service_code, u.country_id, u.operator
      )
      SELECT service_code AS "serviceCode", country_id AS "countryId", operator,
        (numbers.amount - COALESCE(unavailable.amount, 0) + COALESCE(elsewhere.amount, 0)
          - ${CLOSED_TO_SERVICE} + COALESCE(both_ways.amount, 0))::integer AS stock
      FROM numbers CROSS JOIN wanted
      LEFT JOIN unavailable USING (service_code, country_id, operator)
      LEFT JOIN elsewhere USING (service_code, country_id, operator)
      LEFT JOIN both_ways USING (service_code, country_id, operator)
      LEFT JOIN closed USING (country_id, operator)
      LEFT JOIN closed_family USING (family, country_id, operator)`,
    values: questionValues(question),
  })
  return rows
}

/**
 * Counts the numbers that could be rented now, for each service, country and operator (`STANDING` in rent-leases.ts).
 * Combinations without stock are listed too, because their rentals can be extended. Numbers in `away` (rented, retired
 * or leased) are subtracted from the total only once, even if they are also spent.
 */
export async function countRentStock(db: Db, question: StockQuestion): Promise<Stock[]> {
  const { rows } = await db.query<Stock>({
    name: 'smpp-count-rent-stock',
    text: `WITH busy AS MATERIALIZED (
        SELECT phone FROM smpp_numbers n WHERE supplier_id = $supplierId AND NOT (${FREE})
        UNION SELECT phone FROM smpp_leases WHERE supplier_id = $supplierId AND state = 'leased'
      ), totals AS (
        SELECT country_id, operator, count(*) AS amount FROM smpp_numbers
        WHERE supplier_id = $supplierId AND enabled GROUP BY country_id, operator
      ), away AS (
        SELECT country_id, operator, count(*) AS amount FROM smpp_numbers JOIN busy USING (phone)
        WHERE enabled GROUP BY country_id, operator
      ), touched AS (
        SELECT n.country_id, n.operator, count(*) AS amount FROM smpp_numbers n
        WHERE n.supplier_id = $supplierId AND n.enabled AND '${FULL_NUMBER}' = ANY ($serviceCodes)
          AND NOT EXISTS (SELECT FROM busy WHERE busy.phone = n.phone)
          AND EXISTS (SELECT FROM smpp_number_uses u WHERE u.phone = n.phone AND u.state = 'spent')
        GROUP BY n.country_id, n.operator
      ), spent AS (
        SELECT service_code, country_id, operator, count(*) AS amount FROM smpp_number_uses
        WHERE supplier_id = $supplierId AND state <> 'returned' AND service_code = ANY ($serviceCodes)
        GROUP BY service_code, country_id, operator
      ), spent_away AS (
        SELECT u.service_code, u.country_id, u.operator, count(*) AS amount FROM busy JOIN smpp_number_uses u USING (phone)
        WHERE u.state <> 'returned' GROUP BY u.service_code, u.country_id, u.operator
      ), ${heldBy(ENDED, `${FREE} AND NOT EXISTS (SELECT FROM busy WHERE busy.phone = n.phone)`)}, both_ways AS (
        SELECT wanted.service_code, held.country_id, held.operator, count(*) AS amount FROM held CROSS JOIN wanted
        WHERE ${HELD_FROM_SERVICE} AND EXISTS (SELECT FROM smpp_number_uses u WHERE u.phone = held.phone
          AND u.state = 'spent' AND (wanted.service_code = '${FULL_NUMBER}' OR u.service_code = wanted.service_code))
        GROUP BY wanted.service_code, held.country_id, held.operator
      )
      SELECT service_code AS "serviceCode", country_id AS "countryId", operator,
        (totals.amount - COALESCE(away.amount, 0) - COALESCE(
          CASE WHEN service_code = '${FULL_NUMBER}' THEN touched.amount
          ELSE spent.amount - COALESCE(spent_away.amount, 0) END, 0)
          - ${CLOSED_TO_SERVICE} + COALESCE(both_ways.amount, 0))::integer AS stock
      FROM totals CROSS JOIN wanted
      LEFT JOIN away USING (country_id, operator) LEFT JOIN touched USING (country_id, operator)
      LEFT JOIN spent USING (service_code, country_id, operator)
      LEFT JOIN spent_away USING (service_code, country_id, operator)
      LEFT JOIN both_ways USING (service_code, country_id, operator)
      LEFT JOIN closed USING (country_id, operator)
      LEFT JOIN closed_family USING (family, country_id, operator)`,
    values: questionValues(question),
  })
  return rows
}
