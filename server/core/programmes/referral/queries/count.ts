import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'

/**
 * Returns the id of the last transfer counted for referral shares. Locks it until commit, so that concurrent runs count
 * one by one.
 */
export async function lockProgress(tx: Db): Promise<bigint> {
  const { rows } = await tx.query<{ through: bigint }>({
    name: 'referral-progress',
    text: 'SELECT through_transfer AS through FROM referral_progress FOR UPDATE',
  })
  const row = rows[0]
  if (row === undefined) throw new Error('there is no mark of the transfers that were counted')
  return row.through
}

export async function storeProgress(tx: Db, through: bigint): Promise<void> {
  await tx.query({
    name: 'referral-progress-store',
    text: 'UPDATE referral_progress SET through_transfer = $1',
    values: [through],
  })
}

type Step = { after: bigint; through: bigint; now: Date }

export async function countPaid(
  tx: Db,
  input: Step & { kind: 'capture' | 'topup'; percent: number; months: number; pendingDays: number },
): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'referral-count-paid',
    text: `WITH paid AS (
      SELECT t.user_id AS invited_id, u.referrer_id AS user_id, t.activation_id, t.charge_id, t.payment_id, t.currency AS base_currency,
        a.currency, sum(t.amount_micros)::bigint AS micros, min(t.at) AS at
      FROM transfers t JOIN users u ON u.id = t.user_id JOIN accounts a ON a.user_id = u.referrer_id
        JOIN users r ON r.id = u.referrer_id AND r.erased_at IS NULL
      WHERE t.id > $after AND t.id <= $through AND t.kind = $kind AND u.referrer_id <> t.user_id
        AND t.at < u.created_at + make_interval(months => $months)
        AND NOT EXISTS (SELECT FROM referral_invitations i WHERE i.invited_id = t.user_id AND i.state = 'barred')
      GROUP BY t.user_id, u.referrer_id, t.activation_id, t.charge_id, t.payment_id, t.currency, a.currency
    ), invited AS (
      INSERT INTO referral_invitations (invited_id, user_id, created_at, changed_at)
      SELECT DISTINCT invited_id, user_id, $now::timestamptz, $now::timestamptz FROM paid
      ON CONFLICT (invited_id) DO NOTHING
    )
    INSERT INTO referral_shares AS s (user_id, invited_id, activation_id, charge_id, payment_id, gross_micros, base_currency, percent,
      currency, created_at, available_at, look_at)
    SELECT user_id, invited_id, activation_id, charge_id, payment_id, micros, base_currency, $percent, currency, at,
      at + make_interval(days => $pendingDays), $now FROM paid
    ORDER BY activation_id, charge_id, payment_id
    ON CONFLICT ON CONSTRAINT referral_shares_once
      DO UPDATE SET gross_micros = s.gross_micros + excluded.gross_micros, look_at = $now`,
    values: input,
    limitMs: SLOW_LIMIT_MS,
  })
  return rowCount
}

/**
 * Adds, for each referral share, the money that went back to the payer; subtracts it again if the reversal failed.
 * Returns the number of changed shares.
 */
export async function countBack(tx: Db, input: Step): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'referral-count-back',
    text: `WITH gone AS (
      SELECT activation_id, charge_id, payment_id,
        CASE WHEN kind IN ('refund', 'payment_refund', 'dispute') THEN amount_micros ELSE -amount_micros END AS micros
      FROM transfers WHERE id > $after AND id <= $through
        AND kind IN ('refund', 'payment_refund', 'dispute', 'payment_refund_failed', 'dispute_won')
    ), back AS (
      SELECT id, sum(micros)::bigint AS micros FROM (
        SELECT s.id, micros FROM gone JOIN referral_shares s ON s.activation_id = gone.activation_id
        UNION ALL SELECT s.id, micros FROM gone JOIN referral_shares s ON s.charge_id = gone.charge_id
        UNION ALL SELECT s.id, micros FROM gone JOIN referral_shares s ON s.payment_id = gone.payment_id
      ) parts GROUP BY id
    )
    UPDATE referral_shares s SET back_micros = greatest(0, s.back_micros + back.micros), look_at = $now
    FROM back WHERE s.id = back.id`,
    values: input,
    limitMs: SLOW_LIMIT_MS,
  })
  return rowCount
}
