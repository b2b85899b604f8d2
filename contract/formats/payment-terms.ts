import { parseDecimal } from '#contract/money.ts'

/** Fees and bonuses count in hundredths of a per cent. */
const POINTS = 10_000n
/** Of `parseDecimal`: "3.5" is 350 points. */
const MICROS_PER_POINT = 10_000n

/** Rounded up, as every price: in millionths it is never seen. */
export function feeOf(amountMicros: bigint, points: bigint): bigint {
  return (amountMicros * points + POINTS - 1n) / POINTS
}

export function bonusOf(amountMicros: bigint, points: bigint): bigint {
  return (amountMicros * points) / POINTS
}

/** "3.5" → 350n; 0n when malformed. */
export function pointsOf(percent: string): bigint {
  return (parseDecimal(percent) ?? 0n) / MICROS_PER_POINT
}
