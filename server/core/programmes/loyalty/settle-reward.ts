import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'
import { type AccountState, lockAccount, type Move, moveMoney } from '#server/house/money/move-money.ts'
import { changeOf } from '#server/house/money/movement-kinds.ts'
import { findReward, listRanks, type PeriodRow, storeReward, sumCounted } from './queries.ts'
import { rankReached, rewardOf } from './ranks.ts'

export type SettledReward = {
  userId: number
  currency: Currency
  availableMicros: bigint
  /**
   * The micros moved; a negative `differenceMicros` was taken back, and `owedMicros` is the part that became a debt.
   */
  differenceMicros: bigint
  owedMicros: bigint
}

/**
 * Moves the difference between a reward and what was given for it. Locks the account, as deposits and reversals do.
 * Returns null if no money moved.
 */
export async function settleReward(
  tx: Db,
  { userId, period, now }: { userId: number; period: PeriodRow; now: Date },
): Promise<SettledReward | null> {
  const account = await lockAccount(tx, userId)
  const { currency } = account
  const topUpMicros = await sumCounted(tx, { userId, bounds: period })
  const before = await findReward(tx, { userId, periodId: period.id })
  if (topUpMicros === (before?.top_up_micros ?? 0n)) return null
  const { points } = rankReached(await listRanks(tx, { periodId: period.id, currency }), topUpMicros) ?? { points: 0 }
  const rewardMicros = rewardOf(topUpMicros, points)
  const reward = await storeReward(tx, {
    userId,
    periodId: period.id,
    currency,
    topUpMicros,
    points,
    rewardMicros,
    now,
  })
  const differenceMicros = rewardMicros - (before?.reward_micros ?? 0n)
  const moves = movesOf(account, { reward, differenceMicros })
  if (moves.length === 0) return null
  const owedMicros = moves.reduce((sum, { kind, micros }) => (kind === 'debt' ? sum + micros : sum), 0n)
  const availableMicros = await moveMoney(tx, { userId, at: now, moves })
  return { userId, currency, availableMicros, differenceMicros, owedMicros }
}

/** Returns the movements for a difference. A new reward first repays a debt; a missing balance becomes a debt. */
function movesOf(
  { availableMicros, debtMicros }: AccountState,
  { reward, differenceMicros }: { reward: { id: bigint; changes: number }; differenceMicros: bigint },
): Move[] {
  if (differenceMicros === 0n) return []
  const of = { loyaltyRewardId: reward.id }
  const idempotencyKey = `loyalty:${reward.id}:${reward.changes}`
  const missing = -differenceMicros - availableMicros
  const moves: Move[] = [
    ...(missing > 0n ? [{ kind: 'debt', micros: missing, ...of } as const] : []),
    differenceMicros > 0n
      ? { kind: 'loyalty', micros: differenceMicros, idempotencyKey, ...of }
      : { kind: 'loyalty_back', micros: -differenceMicros, idempotencyKey, ...of },
  ]
  const left = moves.reduce((sum, { kind, micros }) => sum + changeOf(kind, 'available', micros), availableMicros)
  const owed = moves.reduce((sum, { kind, micros }) => sum - changeOf(kind, 'debt', micros), debtMicros)
  const repaid = owed < left ? owed : left
  return repaid > 0n ? [...moves, { kind: 'repayment', micros: repaid }] : moves
}
