import type { Db } from '#server/house/db/pool.ts'
import type { DueShare } from './settle.ts'

type GivenShare = Pick<
  DueShare,
  | 'id'
  | 'gross_micros'
  | 'back_micros'
  | 'base_currency'
  | 'percent'
  | 'currency'
  | 'rate_micros'
  | 'due_micros'
  | 'given_micros'
> & {
  user_id: number
  email: string | null
  referral_micros: bigint
  available_micros: bigint
}

/**
 * Returns the referral share of a payment, or null if none is `available`. `back_micros` is all money of the payment
 * that has gone back, whether the share has counted it or not.
 */
export async function findGivenShare(tx: Db, paymentId: bigint): Promise<GivenShare | null> {
  const { rows } = await tx.query<GivenShare>({
    name: 'referral-given-share',
    text: `SELECT s.id, s.user_id, u.email, s.gross_micros, s.base_currency, s.percent, s.currency, s.rate_micros, s.due_micros,
        s.given_micros, a.referral_micros, a.available_micros,
        (SELECT COALESCE(sum(CASE WHEN kind IN ('payment_refund', 'dispute') THEN amount_micros ELSE -amount_micros END), 0)::bigint
          FROM transfers WHERE payment_id = s.payment_id
          AND kind IN ('payment_refund', 'dispute', 'payment_refund_failed', 'dispute_won')) AS back_micros
      FROM referral_shares s JOIN accounts a ON a.user_id = s.user_id JOIN users u ON u.id = s.user_id
      WHERE s.payment_id = $1 AND s.state = 'available'`,
    values: [paymentId],
  })
  return rows[0] ?? null
}
