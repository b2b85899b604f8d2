import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { Refund } from './refund.ts'

/** The charges to refund: one, or those of a rental's first period and all extensions. */
export type RefundedCharges = { chargeId: bigint } | { rentalId: bigint }

type Found = {
  captured: boolean
  user_id: number
  currency: Currency
  due_micros: bigint | null
  due_ids: bigint[] | null
  available_micros: bigint | null
}

/**
 * Refunds each captured charge (the price of a rental's first period or extension) completely and once. The transaction
 * must hold the rental's lock.
 */
export async function refundCharges(
  tx: Db,
  input: { of: RefundedCharges; at: Date },
): Promise<Exclude<Refund, { outcome: 'refunded' }> | (Refund & { outcome: 'refunded'; chargeIds: bigint[] })> {
  const found = await refund(tx, input)
  if (found === null) return { outcome: 'unknown' }
  if (!found.captured) return { outcome: 'not-captured' }
  const { due_micros: amountMicros, due_ids: chargeIds, available_micros: availableMicros } = found
  if (amountMicros === null || chargeIds === null || availableMicros === null) return { outcome: 'refunded-before' }
  return {
    outcome: 'refunded',
    userId: found.user_id,
    currency: found.currency,
    amountMicros,
    availableMicros,
    chargeIds,
  }
}

async function refund(tx: Db, { of, at }: { of: RefundedCharges; at: Date }): Promise<Found | null> {
  const [column, id] = 'chargeId' in of ? ['id', of.chargeId] : ['rental_id', of.rentalId]
  const { rows } = await tx.query<Found>({
    text: `WITH sold AS (
      SELECT id, user_id, rental_id, money, price_micros, currency,
        EXISTS (SELECT FROM transfers WHERE charge_id = charges.id AND kind = 'refund') AS refunded_before
      FROM charges WHERE ${column} = $1 FOR UPDATE
    ), due AS (
      SELECT * FROM sold WHERE money = 'captured' AND NOT refunded_before
    ), total AS (
      SELECT user_id, sum(price_micros)::bigint AS micros, array_agg(id ORDER BY id) AS ids FROM due GROUP BY user_id
    ), paid AS (
      UPDATE accounts SET available_micros = available_micros + total.micros FROM total
      WHERE accounts.user_id = total.user_id RETURNING available_micros
    ), moved AS (
      INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, charge_id, at)
      SELECT 'refund', user_id, 'revenue', 'available', price_micros, currency, id, $2 FROM due
    ), refund_event AS (
      INSERT INTO events (at, kind, user_id, subject_id) SELECT DISTINCT $2::timestamptz, 'rental.refunded', user_id, rental_id FROM due
    )
    SELECT bool_or(sold.money = 'captured') AS captured, sold.user_id, sold.currency, total.micros AS due_micros,
      total.ids AS due_ids, paid.available_micros
    FROM sold LEFT JOIN total ON true LEFT JOIN paid ON true
    GROUP BY sold.user_id, sold.currency, total.micros, total.ids, paid.available_micros`,
    values: [id, at],
  })
  return rows[0] ?? null
}
