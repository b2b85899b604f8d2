import { MICROS_PER_UNIT } from '#contract/money.ts'
import { MINUTE } from '#contract/time.ts'
import type { PeriodBounds } from '#server/core/programmes/loyalty/queries.ts'
import { rankReached, rewardOf } from '#server/core/programmes/loyalty/ranks.ts'
import type { LoyaltyRank } from '#server/house/config/programme-settings.ts'
import { changeOf, type MovementKind } from '#server/house/money/movement-kinds.ts'
import type { Seeded } from './seeded.ts'

/** A movement of a user's money at a time. The ids are those of what it is for. */
export type PastMove = {
  userId: number
  kind: MovementKind
  micros: bigint
  atMs: number
  activationId?: bigint
  chargeId?: bigint
  paymentId?: bigint
  depositId?: bigint
  rewardId?: bigint
  key?: string
}

export type PastTopUp = { userId: number; micros: bigint; atMs: number; system: 'play' | 'card' | 'coin' | 'voucher' }

/** A period of loyalty that is over. */
export type PastPeriod = { id: number; bounds: PeriodBounds; ranks: readonly LoyaltyRank[] }

export type PastReward = {
  userId: number
  periodId: number
  topUpMicros: bigint
  points: number
  micros: bigint
  atMs: number
}

export type Funded = { topUps: PastTopUp[]; rewards: PastReward[]; availableMicros: bigint }

/** The time after its end at which a period's rewards were paid. */
export const PAID_AFTER_MS = 11 * MINUTE
const SYSTEMS = [
  ['play', 2],
  ['card', 5],
  ['coin', 3],
] as const

/**
 * Tops an account up before each purchase that it could not pay, and pays the rewards of loyalty that follow. `planned`
 * are further top-ups.
 */
export function fund(
  seeded: Seeded,
  input: {
    userId: number
    moves: readonly PastMove[]
    planned: readonly PastTopUp[]
    periods: readonly PastPeriod[]
    sizes: readonly number[]
  },
): Funded {
  const { userId, planned, sizes } = input
  const topUps = [...planned]
  const rewards: PastReward[] = []
  const periods = input.periods.toSorted((one, other) => endOf(one) - endOf(other))
  const steps = [...input.moves, ...planned.map((topUp): PastMove => ({ ...topUp, kind: kindOf(topUp) }))]
  let availableMicros = 0n
  const closeUntil = (atMs: number) => {
    for (let period = periods[0]; period !== undefined && endOf(period) + PAID_AFTER_MS <= atMs; period = periods[0]) {
      periods.shift()
      const reward = rewardIn(period, { userId, topUps })
      if (reward === null) continue
      rewards.push(reward)
      availableMicros += reward.micros
    }
  }
  for (const move of steps.toSorted((one, other) => one.atMs - other.atMs)) {
    closeUntil(move.atMs)
    while (move.kind === 'hold' && availableMicros < move.micros) {
      const micros = BigInt(seeded.pick(sizes)) * MICROS_PER_UNIT
      const atMs = move.atMs - Math.floor(seeded.between(1.5, 8) * MINUTE)
      topUps.push({ userId, micros, atMs, system: seeded.weighed(SYSTEMS) })
      availableMicros += micros
    }
    availableMicros += changeOf(move.kind, 'available', move.micros)
  }
  closeUntil(Number.MAX_SAFE_INTEGER)
  return { topUps, rewards, availableMicros }
}

export function kindOf({ system }: PastTopUp): 'topup' | 'voucher' {
  return system === 'voucher' ? 'voucher' : 'topup'
}

function endOf({ bounds }: PastPeriod): number {
  return bounds.ends_at.getTime()
}

function rewardIn(
  { id, bounds, ranks }: PastPeriod,
  { userId, topUps }: { userId: number; topUps: readonly PastTopUp[] },
): PastReward | null {
  const [beginsAt, endsAt] = [bounds.begins_at.getTime(), bounds.ends_at.getTime()]
  const counted = topUps.filter((topUp) => kindOf(topUp) === 'topup' && topUp.atMs >= beginsAt && topUp.atMs < endsAt)
  const topUpMicros = counted.reduce((sum, { micros }) => sum + micros, 0n)
  if (topUpMicros === 0n) return null
  const points = rankReached(ranks, topUpMicros)?.points ?? 0
  return {
    userId,
    periodId: id,
    topUpMicros,
    points,
    micros: rewardOf(topUpMicros, points),
    atMs: endsAt + PAID_AFTER_MS,
  }
}
