import { orderReferenceSql } from '#server/core/numbers/sourcing/order-reference.ts'
import type { StockSale } from '#server/core/suppliers/supplier.ts'
import { isCheckViolation, isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'
import { debitForSale, recordHold } from '#server/house/money/settle-sql.ts'
import { RUB_PER_USD } from '#server/house/rates/queries.ts'
import {
  INSERT_ROUTED,
  isNewToBuyer,
  type Reservation,
  reservationForbidden,
  reservationValues,
  reservedRow,
  whileNotFull,
} from './purchase.ts'
import type { ActivationRow } from './row.ts'

type SoldRow = {
  id: bigint | null
  phone: string
  operator: string
  supplierReference: string
  position: bigint
}

/**
 * Holds the price, leases one of our own numbers and inserts the activation with the number, or does nothing. Returns
 * null if there is too little money, or the account, the service, a limit or the API key refuses, or if a short look
 * finds no number. Throws PromotionFull.
 */
export async function sellFromStock(db: Db, input: Reservation, sale: StockSale): Promise<ActivationRow | null> {
  try {
    const { rows } = await whileNotFull(
      db.query<SoldRow>({
        name: 'activation-sell-stock',
        text: statementOf(sale),
        values: { ...reservationValues(input), ...sale.values, buyerId: input.userId },
      }),
    )
    const [row] = rows
    if (row === undefined) throw new Error('the statement of a sale returned no row')
    const { id, phone, operator, supplierReference, position } = row
    if (id === null) return null
    sale.notePosition(position)
    return { ...reservedRow(id, input), state: 'waiting', phone, operator, supplier_reference: supplierReference }
  } catch (error) {
    if (RACED.some((index) => isUniqueViolation(error, index)) || isCheckViolation(error, 'activations_fit'))
      return null
    throw error
  }
}

/** The unique indexes that a sale violates if another sale of the number was faster. */
const RACED = ['smpp_leases_one_holder', 'activations_number_once']

/**
 * The number is found and locked before the account, which many purchases share. An activation without a phone violates
 * `activations_fit`, so the whole statement fails if somebody was faster after the money was held. A buyer without the
 * money locks no number.
 */
function statementOf({ find, isForBuyer, lease, position }: StockSale): string {
  return `WITH numbered AS MATERIALIZED (
      SELECT nextval(pg_get_serial_sequence('activations', 'id')) AS id
      WHERE EXISTS (SELECT FROM accounts WHERE user_id = $userId AND currency = $currency AND available_micros >= $priceMicros)
    ), ${find}, sure AS MATERIALIZED (
      SELECT * FROM found WHERE ${isForBuyer}
        AND ${isNewToBuyer({ phone: 'found.phone', serviceCode: '$serviceCode', userId: '$userId' })}
        AND NOT number_closed(found.phone, $userId, $family, $sendersKnown, false, $now)
    ), ${debitForSale('sure', reservationForbidden())}, ${lease.used}, made AS (
      INSERT INTO activations (id, user_id, service_code, country_id, operator_wanted, state, money, price_micros,
        currency, supplier_id, channel, idempotency_key, input_hash, created_at, expires_at, cost_limit_micros,
        cost_currency, excluded_prefixes, api_key_id, promotion_id, node_id, phone, operator, supplier_reference,
        cost_micros, cost_rate_micros, family, senders_known)
      OVERRIDING SYSTEM VALUE
      SELECT numbered.id, payer.user_id, $serviceCode, $countryId, $operatorWanted, 'waiting', 'held', $priceMicros,
        $currency, $supplierId, $channel, $idempotencyKey, $inputHash, $now, $expiresAt, $costLimitMicros,
        $costCurrency, $excludedPrefixes, $apiKeyId, $promotionId, $nodeId, used.phone, used.operator,
        ${orderReferenceSql('numbered.id')}, $costMicros, ${RUB_PER_USD}, NULLIF($family, $serviceCode), $sendersKnown
      FROM numbered, payer LEFT JOIN used ON true
      RETURNING id, user_id, price_micros, currency, phone, operator, supplier_reference
    ), ${lease.leased}, ${recordHold('made')}, ${INSERT_ROUTED}, sold_event AS (
      INSERT INTO events (at, kind, user_id, subject_id) SELECT $now, 'activation.waiting', user_id, id FROM made
    )
    SELECT made.id, made.phone, made.operator, made.supplier_reference AS "supplierReference",
      ${position} AS position
    FROM (SELECT 1) AS always LEFT JOIN made ON true`
}
