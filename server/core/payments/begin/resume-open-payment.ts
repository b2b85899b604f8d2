import type { Db } from '#server/house/db/pool.ts'
import { idempotencyConflict } from '#server/house/errors/buying-errors.ts'
import { findOpenBySystem, rememberKey } from '../queries/open-payment.ts'
import { closePayment, findPaymentByKey, type PaymentRow } from '../queries/payments.ts'

type Wish = {
  userId: number
  gatewayId: number
  system: string
  amountMicros: bigint
  key: string | null
  inputHash: string
  now: Date
}

/**
 * Keeps the user's open payment by a payment system if money is on its way, or if the amount is the same and the
 * payment has not expired. Otherwise closes that payment. The account must be locked. Throws IDEMPOTENCY_CONFLICT.
 */
export async function resumeOpenPayment(
  tx: Db,
  wish: Wish,
): Promise<{ kept: PaymentRow | null; closed: PaymentRow | null }> {
  const { userId, key, inputHash, now } = wish
  const earlier = key === null ? null : await findPaymentByKey(tx, { userId, key })
  if (earlier !== null && earlier.input_hash !== inputHash) throw idempotencyConflict()
  if (earlier !== null) return { kept: earlier, closed: null }
  const open = await findOpenBySystem(tx, wish)
  if (open === null) return { kept: null, closed: null }
  const isWanted = open.amount_micros === wish.amountMicros && open.expires_at > now
  if (open.state === 'confirming' || isWanted) {
    if (key !== null) await rememberKey(tx, { userId, key, paymentId: open.id, inputHash, now })
    return { kept: open, closed: null }
  }
  return { kept: null, closed: await closePayment(tx, { userId, transactionId: open.transaction_id, now }) }
}
