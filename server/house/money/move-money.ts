import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'
import { changeOf, MOVEMENTS, type MovementKind } from './movement-kinds.ts'

/** `micros` must be above zero. */
export type Move = {
  kind: MovementKind
  micros: bigint
  paymentId?: bigint
  depositId?: bigint
  reversalId?: bigint
  referralShareId?: bigint
  referralWithdrawalId?: bigint
  loyaltyRewardId?: bigint
  channelRewardId?: bigint
  idempotencyKey?: string
}

export type AccountState = {
  currency: Currency
  availableMicros: bigint
  heldMicros: bigint
  debtMicros: bigint
  referralMicros: bigint
}

/**
 * Locks the account until the end of the transaction and returns its balances, so that nobody takes money while the
 * caller decides. Throws if the account does not exist.
 */
export async function lockAccount(tx: Db, userId: number): Promise<AccountState> {
  const { rows } = await tx.query<AccountState>({
    name: 'account-lock',
    text: `SELECT currency, available_micros AS "availableMicros", held_micros AS "heldMicros", debt_micros AS "debtMicros",
        referral_micros AS "referralMicros"
      FROM accounts WHERE user_id = $1 FOR UPDATE`,
    values: [userId],
  })
  const row = rows[0]
  if (row === undefined) throw new Error(`user ${userId} has no account`)
  return row
}

/**
 * Moves money of one account in a single update, and records a transfer per movement. Returns the available balance.
 * The transaction must hold the account's lock.
 */
export async function moveMoney(
  tx: Db,
  { userId, at, moves }: { userId: number; at: Date; moves: readonly Move[] },
): Promise<bigint> {
  const sum = (account: Parameters<typeof changeOf>[1]) =>
    moves.reduce((total, { kind, micros }) => total + changeOf(kind, account, micros), 0n)
  const { rows } = await tx.query<{ available_micros: bigint }>({
    name: 'money-move',
    text: `WITH account AS (
      UPDATE accounts SET available_micros = available_micros + $available, held_micros = held_micros + $held,
        debt_micros = debt_micros - $debt, referral_micros = referral_micros + $referral
      WHERE user_id = $userId RETURNING user_id, currency, available_micros
    ), moved AS (
      INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, payment_id, deposit_id,
        reversal_id, referral_share_id, referral_withdrawal_id, loyalty_reward_id, channel_reward_id, idempotency_key, at)
      SELECT kind, user_id, from_account, to_account, micros, currency, payment_id, deposit_id, reversal_id, share_id,
        withdrawal_id, reward_id, channel_id, key, $at
      FROM account, unnest($kinds::text[], $from::text[], $to::text[], $micros::bigint[], $payments::bigint[],
        $deposits::bigint[], $reversals::bigint[], $shares::bigint[], $withdrawals::bigint[], $loyaltyRewards::bigint[],
        $channelRewards::bigint[], $keys::text[]) WITH ORDINALITY
        AS move (kind, from_account, to_account, micros, payment_id, deposit_id, reversal_id, share_id, withdrawal_id, reward_id,
          channel_id, key, place)
      ORDER BY place
    )
    SELECT available_micros FROM account`,
    values: {
      userId,
      at,
      available: sum('available'),
      held: sum('held'),
      debt: sum('debt'),
      referral: sum('referral'),
      ...columnsOf(moves),
    },
  })
  const row = rows[0]
  if (row === undefined) throw new Error(`user ${userId} has no account`)
  return row.available_micros
}

function columnsOf(moves: readonly Move[]) {
  return {
    kinds: moves.map(({ kind }) => kind),
    from: moves.map(({ kind }) => MOVEMENTS[kind].from),
    to: moves.map(({ kind }) => MOVEMENTS[kind].to),
    micros: moves.map(({ micros }) => micros),
    payments: moves.map(({ paymentId }) => paymentId ?? null),
    deposits: moves.map(({ depositId }) => depositId ?? null),
    reversals: moves.map(({ reversalId }) => reversalId ?? null),
    shares: moves.map(({ referralShareId }) => referralShareId ?? null),
    withdrawals: moves.map(({ referralWithdrawalId }) => referralWithdrawalId ?? null),
    loyaltyRewards: moves.map(({ loyaltyRewardId }) => loyaltyRewardId ?? null),
    channelRewards: moves.map(({ channelRewardId }) => channelRewardId ?? null),
    keys: moves.map(({ idempotencyKey }) => idempotencyKey ?? null),
  }
}

export async function collectDebt(tx: Db, { userId, at }: { userId: number; at: Date }): Promise<bigint> {
  const { availableMicros, debtMicros } = await lockAccount(tx, userId)
  const micros = availableMicros < debtMicros ? availableMicros : debtMicros
  if (micros === 0n) return availableMicros
  return moveMoney(tx, { userId, at, moves: [{ kind: 'repayment', micros }] })
}
