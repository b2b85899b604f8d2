import { parseDecimal } from '#contract/money.ts'

/** Fees and bonuses count in hundredths of a per cent. */
const POINTS = 10_000n
/** Of `parseDecimal`: "3.5" is 350 points. */
const MICROS_PER_POINT = 10_000n

/** The fee of all that a payment brought, rounded up to whole cents, so that balances stay in them. */
export function feeOf(amountMicros: bigint, points: bigint): bigint {
  return upToCents((amountMicros * points + POINTS - 1n) / POINTS)
}

/** The least amount of which this much is left after the fee. */
export function amountBefore(leftMicros: bigint, feePoints: bigint): bigint {
  const kept = POINTS - feePoints
  return upToCents((upToCents(leftMicros) * POINTS + kept - 1n) / kept)
}

/** Rounded down to whole cents. */
export function bonusOf(amountMicros: bigint, points: bigint): bigint {
  return wholeCents((amountMicros * points) / POINTS)
}

/** One of `points` and `amountMicros` is set. */
export type RuleTerms = {
  leastMicros: bigint
  points: number | null
  amountMicros: bigint | null
  mostMicros: bigint | null
}

/** What a rule gives for a top-up; 0n below its least amount. */
export function ruleBonus({ leastMicros, points, amountMicros, mostMicros }: RuleTerms, topUpMicros: bigint): bigint {
  if (topUpMicros < leastMicros) return 0n
  const given = amountMicros ?? bonusOf(topUpMicros, BigInt(points ?? 0))
  return mostMicros !== null && given > mostMicros ? mostMicros : given
}

/** The rule that gives most, the first of equals; null when none gives anything. */
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

/** "3.5" → 350n; 0n when malformed. */
export function pointsOf(percent: string): bigint {
  return (parseDecimal(percent) ?? 0n) / MICROS_PER_POINT
}

const MICROS_PER_CENT = 10_000n

/** The whole cents or kopecks in it. */
export function wholeCents(amountMicros: bigint): bigint {
  return amountMicros - (amountMicros % MICROS_PER_CENT)
}

/** What is missing to the next whole cent or kopeck. */
export function untilWholeCent(amountMicros: bigint): bigint {
  return (MICROS_PER_CENT - (amountMicros % MICROS_PER_CENT)) % MICROS_PER_CENT
}

function upToCents(amountMicros: bigint): bigint {
  return amountMicros + untilWholeCent(amountMicros)
}
