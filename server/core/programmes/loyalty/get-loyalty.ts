import { type Currency, toDecimal } from '#contract/money.ts'
import type { LoyaltyReply, LoyaltyTerms } from '#contract/programmes/loyalty.ts'
import { toPercent } from '#server/core/payments/systems.ts'
import type { LoyaltyRank } from '#server/house/config/programme-settings.ts'
import type { Context } from '#server/house/context.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { type CurrentPeriod, findCurrent } from './open-period.ts'
import { listRewards, type ShownReward, sumCounted } from './queries.ts'
import { nextRank, rankReached, rewardOf } from './ranks.ts'

const SHOWN_REWARDS = 8

export async function getLoyalty(ctx: Context, { member }: MemberCaller): Promise<LoyaltyReply> {
  const { userId, currency } = member
  const [current, rewards] = await Promise.all([
    findCurrent(ctx, currency),
    listRewards(ctx.db, { userId, limit: SHOWN_REWARDS }),
  ])
  return {
    status: true,
    current:
      current === null
        ? null
        : toStanding(current, currency, await sumCounted(ctx.db, { userId, bounds: current.bounds })),
    currency,
    rewards: rewards.map(toRewardRecord),
  }
}

export function toTerms({ period, timeZone, ranks }: CurrentPeriod, currency: Currency): LoyaltyTerms {
  return { period, time_zone: timeZone, currency, ranks: ranks.map(toRankRecord) }
}

function toStanding(current: CurrentPeriod, currency: Currency, topUpMicros: bigint): LoyaltyReply['current'] {
  const { bounds, ranks } = current
  const points = rankReached(ranks, topUpMicros)?.points ?? 0
  const next = nextRank(ranks, topUpMicros)
  return {
    ...toTerms(current, currency),
    begins_at: bounds.begins_at.toISOString(),
    ends_at: bounds.ends_at.toISOString(),
    topped_up: toDecimal(topUpMicros),
    percent: toPercent(points),
    reward: toDecimal(rewardOf(topUpMicros, points)),
    next:
      next === null
        ? null
        : {
            ...toRankRecord(next),
            missing: toDecimal(next.topUpMicros - topUpMicros),
            reward: toDecimal(rewardOf(next.topUpMicros, next.points)),
          },
  }
}

function toRankRecord({ topUpMicros, points }: LoyaltyRank) {
  return { top_up: toDecimal(topUpMicros), percent: toPercent(points) }
}

function toRewardRecord({ time_zone, begins_at, ends_at, top_up_micros, points, reward_micros }: ShownReward) {
  return {
    time_zone,
    begins_at: begins_at.toISOString(),
    ends_at: ends_at.toISOString(),
    topped_up: toDecimal(top_up_micros),
    percent: toPercent(points),
    reward: toDecimal(reward_micros),
  }
}
