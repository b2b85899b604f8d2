import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'

export type Refund =
  | { outcome: 'refunded'; userId: number; amountMicros: bigint; currency: Currency; availableMicros: bigint }
  | { outcome: 'unknown' | 'not-captured' | 'refunded-before' }

type RefundRow = {
  money: string
  refunded_before: boolean
  user_id: number
  price_micros: bigint
  currency: Currency
  available_micros: bigint | null
}

/**
 * Refunds the whole price of an activation once, in the caller's transaction. A loss that a promotion paid goes back to
 * the promotions' account.
 */
export async function refundActivation(tx: Db, input: { activationId: bigint; at: Date }): Promise<Refund> {
  // The lock is a separate statement, so that the next statement sees what an earlier holder refunded.
  await tx.query({ text: 'SELECT FROM activations WHERE id = $1 FOR UPDATE', values: [input.activationId] })
  const result = await refund(tx, input)
  if (result === null) return { outcome: 'unknown' }
  if (result.refunded_before) return { outcome: 'refunded-before' }
  if (result.available_micros === null) return { outcome: 'not-captured' }
  const { user_id: userId, price_micros: amountMicros, currency, available_micros: availableMicros } = result
  return { outcome: 'refunded', userId, amountMicros, currency, availableMicros }
}

async function refund(tx: Db, input: { activationId: bigint; at: Date }): Promise<RefundRow | null> {
  const { rows } = await tx.query<RefundRow>({
    text: `WITH sold AS (
      SELECT id, user_id, money, price_micros, currency,
        CASE WHEN promotion_id IS NOT NULL THEN sale_loss(activations, currency) END AS lost_micros,
        EXISTS (SELECT FROM transfers WHERE activation_id = $1 AND kind = 'refund') AS refunded_before
      FROM activations WHERE id = $1
    ), due AS (
      SELECT * FROM sold WHERE money = 'captured' AND NOT refunded_before
    ), paid AS (
      UPDATE accounts SET available_micros = available_micros + due.price_micros FROM due
      WHERE accounts.user_id = due.user_id RETURNING available_micros
    ), moved AS (
      INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
      SELECT 'refund', user_id, 'revenue', 'available', price_micros, currency, id, $2 FROM due
    ), taken_back AS (
      INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
      SELECT 'promotion_back', user_id, 'revenue', 'promotions', lost_micros, currency, id, $2 FROM due WHERE lost_micros > 0
    ), refund_event AS (
      INSERT INTO events (at, kind, user_id, subject_id) SELECT $2, 'activation.refunded', user_id, id FROM due
    )
    SELECT sold.money, sold.refunded_before, sold.user_id, sold.price_micros, sold.currency, paid.available_micros
    FROM sold LEFT JOIN paid ON true`,
    values: [input.activationId, input.at],
  })
  return rows[0] ?? null
}
