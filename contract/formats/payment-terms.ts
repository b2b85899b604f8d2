import { parseDecimal } from '#contract/money.ts'

/** Fees and bonuses are computed in points; a point is a hundredth of a per cent. */
const POINTS = 10_000n
/** `parseDecimal` returns millionths, so "3.5" becomes 350 points. */
const MICROS_PER_POINT = 10_000n

/** Returns the fee for a received amount, rounded up to whole cents so that balances stay in whole cents. */
export function feeOf(amountMicros: bigint, points: bigint): bigint {
  return upToCents((amountMicros * points + POINTS - 1n) / POINTS)
}

/** Returns the smallest amount of which `leftMicros` are left after the fee. */
export function amountBeforeFee(leftMicros: bigint, feePoints: bigint): bigint {
  const kept = POINTS - feePoints
  return upToCents((upToCents(leftMicros) * POINTS + kept - 1n) / kept)
}

/** Returns the bonus for a top-up, rounded down to whole cents. */
export function bonusOf(amountMicros: bigint, points: bigint): bigint {
  return wholeCents((amountMicros * points) / POINTS)
}

/** Exactly one of `points` and `amountMicros` is set. */
export type RuleTerms = {
  leastMicros: bigint
  points: number | null
  amountMicros: bigint | null
  mostMicros: bigint | null
}

/** Returns the bonus that a rule gives for a top-up; 0n if the top-up is below the rule's minimum. */
export function ruleBonus({ leastMicros, points, amountMicros, mostMicros }: RuleTerms, topUpMicros: bigint): bigint {
  if (topUpMicros < leastMicros) return 0n
  const given = amountMicros ?? bonusOf(topUpMicros, BigInt(points ?? 0))
  return mostMicros !== null && given > mostMicros ? mostMicros : given
}

/** Returns the rule with the largest bonus, or the first of several equal rules; null if no rule gives a bonus. */
export function bestRule<Rule extends RuleTerms>(
  rules: readonly Rule[],
  topUpMicros: bigint,
): { rule: Rule; micros: bigint } | null {
  let best: { rule: Rule; micros: bigint } | null = null
  for (const rule of rules) {
    const micros = ruleBonus(rule, topUpMicros)
    if (micros > (best?.micros ?? 0n)) best = { rule, micros }
  }
  return best
}

/** Converts a percentage such as "3.5" into 350n points. A malformed text gives 0n. */
export function pointsOf(percent: string): bigint {
  return (parseDecimal(percent) ?? 0n) / MICROS_PER_POINT
}

const MICROS_PER_CENT = 10_000n

export function wholeCents(amountMicros: bigint): bigint {
  return amountMicros - (amountMicros % MICROS_PER_CENT)
}

/** Returns the amount that is missing to the next whole cent or kopeck; 0n if the amount is whole. */
export function untilWholeCent(amountMicros: bigint): bigint {
  return (MICROS_PER_CENT - (amountMicros % MICROS_PER_CENT)) % MICROS_PER_CENT
}

function upToCents(amountMicros: bigint): bigint {
  return amountMicros + untilWholeCent(amountMicros)
}
