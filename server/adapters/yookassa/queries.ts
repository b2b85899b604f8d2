import type { Db } from '#server/house/db/pool.ts'

/** `body` is the JSON of the first request. `payment_id` is YooKassa's id of the payment, or null until it is known. */
export type SentOrder = { body: string; first_sent_at: Date; last_sent_at: Date; payment_id: string | null }

export async function findSent(db: Db, transactionId: string): Promise<SentOrder | null> {
  const { rows } = await db.query<SentOrder>({
    name: 'yookassa-sent',
    text: 'SELECT body, first_sent_at, last_sent_at, payment_id FROM yookassa_orders WHERE transaction_id = $1',
    values: [transactionId],
  })
  return rows[0] ?? null
}

/** Stores that a request is sent, and returns the body to send: for concurrent and repeated calls the first one's. */
export async function noteSending(
  db: Db,
  input: { transactionId: string; body: string; now: Date },
): Promise<{ body: string }> {
  const { rows } = await db.query<{ body: string }>({
    name: 'yookassa-sending',
    text: `INSERT INTO yookassa_orders AS o (transaction_id, body, first_sent_at, last_sent_at)
      VALUES ($transactionId, $body, $now, $now)
      ON CONFLICT (transaction_id) DO UPDATE SET last_sent_at = GREATEST(o.last_sent_at, $now)
      RETURNING body`,
    values: input,
  })
  const row = rows[0]
  if (row === undefined) throw new Error('what is sent to YooKassa was not noted')
  return row
}

export async function notePaymentId(db: Db, input: { transactionId: string; paymentId: string }): Promise<void> {
  await db.query({
    name: 'yookassa-payment-id',
    text: `UPDATE yookassa_orders SET payment_id = $paymentId
      WHERE transaction_id = $transactionId AND payment_id IS DISTINCT FROM $paymentId`,
    values: input,
  })
}
