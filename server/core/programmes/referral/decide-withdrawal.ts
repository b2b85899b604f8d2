import type { Db } from '#server/house/db/pool.ts'
import { lockAccount, moveMoney } from '#server/house/money/move-money.ts'
import { moveWithdrawal, type WithdrawalRow } from './queries/withdrawals.ts'

/**
 * Stores the decision of staff about a withdrawal; a refusal returns the money. Null means that its state forbids it.
 */
export async function decideWithdrawal(
  tx: Db,
  input: { id: bigint; userId: number; to: 'approved' | 'paid' | 'refused'; txId: string | null; now: Date },
): Promise<WithdrawalRow | null> {
  const { userId, to, now } = input
  await lockAccount(tx, userId)
  const row = await moveWithdrawal(tx, input)
  if (row === null || to !== 'refused') return row
  const moves = [{ kind: 'referral_payout_back' as const, micros: row.amount_micros, referralWithdrawalId: row.id }]
  await moveMoney(tx, { userId, at: now, moves })
  return row
}
