import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'
import { findReward, listPeriodsOf } from './loyalty/queries.ts'
import { settleReward } from './loyalty/settle-reward.ts'
import { worthOf } from './referral/decide-share.ts'
import { findGivenShare } from './referral/queries/given-share.ts'
import { balanceToRecall } from './referral/settle-given.ts'

/** The maximum number of loyalty periods of one payment, whose deposits never spread over more. */
const PERIODS = 20

/** `owedMicros` is the part of `backMicros` that becomes a debt. */
type TakenBack = { backMicros: bigint; owedMicros: bigint }
export type TakenShare = TakenBack & { id: bigint; userId: number; email: string | null; currency: Currency }

/**
 * Takes back the loyalty rewards that a refund reduces, in the transaction of the refund. Only computes what the
 * referrer will lose, because a later sweep takes it back.
 */
export async function followRefund(
  tx: Db,
  payment: { id: bigint; userId: number; now: Date },
): Promise<{ reward: TakenBack; share: TakenShare | null }> {
  return { reward: await takeRewards(tx, payment), share: await foreseeShare(tx, payment.id) }
}

async function takeRewards(
  tx: Db,
  { id: paymentId, userId, now }: { id: bigint; userId: number; now: Date },
): Promise<TakenBack> {
  const taken: TakenBack = { backMicros: 0n, owedMicros: 0n }
  for (const period of await listPeriodsOf(tx, { paymentId, endedBefore: now, limit: PERIODS })) {
    // A reward that was not given yet is computed later, when the refund is known.
    if ((await findReward(tx, { userId, periodId: period.id })) === null) continue
    const settled = await settleReward(tx, { userId, period, now })
    taken.backMicros -= settled?.differenceMicros ?? 0n
    taken.owedMicros += settled?.owedMicros ?? 0n
  }
  return taken
}

async function foreseeShare(tx: Db, paymentId: bigint): Promise<TakenShare | null> {
  const share = await findGivenShare(tx, paymentId)
  if (share === null) return null
  const worth = worthOf(share, share.rate_micros)
  const backMicros = share.given_micros - (worth < share.due_micros ? worth : share.due_micros)
  if (backMicros <= 0n) return null
  const { referral_micros: referralMicros, available_micros: availableMicros } = share
  const missing = balanceToRecall(backMicros, { referralMicros, availableMicros }) - availableMicros
  const { id, user_id: userId, email, currency } = share
  return { id, userId, email, currency, backMicros, owedMicros: missing > 0n ? missing : 0n }
}
