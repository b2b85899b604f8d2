import type { LoyaltyRank } from '#server/house/config/programme-settings.ts'

/** Hundredths of a per cent in all. */
const POINTS = 10_000n
/** A kopeck or a cent. */
const CENT_MICROS = 10_000n

/** The highest rank whose limit is reached; null below the first. Ranks ascend. */
export function rankReached(ranks: readonly LoyaltyRank[], topUpMicros: bigint): LoyaltyRank | null {
  return ranks.findLast((rank) => topUpMicros >= rank.topUpMicros) ?? null
}

export function nextRank(ranks: readonly LoyaltyRank[], topUpMicros: bigint): LoyaltyRank | null {
  return ranks.find((rank) => topUpMicros < rank.topUpMicros) ?? null
}

/** Of the whole sum, not of what is above the limit; down to a cent. */
export function rewardOf(topUpMicros: bigint, points: number): bigint {
  const micros = (topUpMicros * BigInt(points)) / POINTS
  return micros - (micros % CENT_MICROS)
}
