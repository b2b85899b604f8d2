import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'

export type Standing = {
  given_micros: bigint | null
  created_at: Date
  topped_up_micros: bigint
}

export async function findStanding(db: Db, userId: number): Promise<Standing | null> {
  const { rows } = await db.query<Standing>({
    name: 'channel-reward-standing',
    text: `SELECT u.created_at, (SELECT amount_micros FROM channel_rewards WHERE user_id = u.id) AS given_micros,
        (SELECT COALESCE(sum(CASE WHEN kind IN ('topup', 'payment_refund_failed', 'dispute_won') THEN amount_micros ELSE -amount_micros END), 0)::bigint
          FROM transfers WHERE user_id = u.id AND kind IN ('topup', 'payment_refund', 'payment_refund_failed', 'dispute', 'dispute_won')
        ) AS topped_up_micros
      FROM users u WHERE u.id = $1`,
    values: [userId],
  })
  return rows[0] ?? null
}

/**
 * Inserts the reward for a chat that was linked by the time `linkedBy`. Constraints allow one per account and one per
 * person. Returns null if the reward was given already, or the chat is not the account's.
 */
export async function insertReward(
  tx: Db,
  input: { userId: number; telegramId: bigint; currency: Currency; amountMicros: bigint; linkedBy: Date; now: Date },
): Promise<bigint | null> {
  const { rows } = await tx.query<{ id: bigint }>({
    name: 'channel-reward-insert',
    text: `INSERT INTO channel_rewards (user_id, telegram_id, currency, amount_micros, at)
      SELECT user_id, telegram_id, $currency, $amountMicros, $now FROM telegram_chats
      WHERE user_id = $userId AND telegram_id = $telegramId AND linked_at <= $linkedBy
      ON CONFLICT DO NOTHING RETURNING id`,
    values: input,
  })
  return rows[0]?.id ?? null
}
