import type { LoyaltyRank } from '#server/house/config/programme-settings.ts'

const POINTS = 10_000n
const CENT_MICROS = 10_000n

/**
 * Returns the highest rank whose limit the top-ups reach; null below the first rank. `ranks` must be in ascending
 * order.
 */
export function rankReached(ranks: readonly LoyaltyRank[], topUpMicros: bigint): LoyaltyRank | null {
  return ranks.findLast((rank) => topUpMicros >= rank.topUpMicros) ?? null
}

export function nextRank(ranks: readonly LoyaltyRank[], topUpMicros: bigint): LoyaltyRank | null {
  return ranks.find((rank) => topUpMicros < rank.topUpMicros) ?? null
}

/** Returns the reward for all top-ups, not only for those above the rank's limit, rounded down to a cent. */
export function rewardOf(topUpMicros: bigint, points: number): bigint {
  const micros = (topUpMicros * BigInt(points)) / POINTS
  return micros - (micros % CENT_MICROS)
}
