/** Upper bounds, in seconds, of the classes in which times to code are counted (`outcome_hours.seconds_counts`); the last class has none. */
export const OUTCOME_BOUNDS_SECONDS = [1, 2, 3, 5, 8, 12, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1200] as const

/** Fewer purchases than this say nothing: shares and times are not shown. */
export const MINIMUM_SAMPLE = 10

export type Outcomes = { purchases: number; codes: number; secondsCounts: number[] }

export function noOutcomes(): Outcomes {
  return { purchases: 0, codes: 0, secondsCounts: new Array(OUTCOME_BOUNDS_SECONDS.length + 1).fill(0) }
}

export function addOutcomes(sum: Outcomes, more: Outcomes): void {
  sum.purchases += more.purchases
  sum.codes += more.codes
  for (const [position, count] of more.secondsCounts.entries()) {
    sum.secondsCounts[position] = (sum.secondsCounts[position] ?? 0) + count
  }
}

/** Codes per purchase, 0…1; null below the minimum sample. */
export function successShare(outcomes: Outcomes): number | null {
  if (outcomes.purchases < MINIMUM_SAMPLE) return null
  return Math.round((outcomes.codes / outcomes.purchases) * 1000) / 1000
}

/** The time within which half of the codes came; null below the minimum sample. */
export function medianSeconds(outcomes: Outcomes): number | null {
  return outcomes.codes < MINIMUM_SAMPLE ? null : secondsUntilShare(outcomes, MEDIAN)
}

/** The time within which nine of ten codes came; null below the minimum sample. */
export function p90Seconds(outcomes: Outcomes): number | null {
  return outcomes.codes < MINIMUM_SAMPLE ? null : secondsUntilShare(outcomes, P90)
}

export const MEDIAN = 0.5
export const P90 = 0.9

/**
 * The time within which this share of the codes came, however few they were; null when there was none. Interpolated
 * inside its class; the last class has no end, and answers its beginning.
 */
export function secondsUntilShare(outcomes: Outcomes, share: number): number | null {
  if (outcomes.codes === 0) return null
  const wanted = outcomes.codes * share
  let below = 0
  for (const [position, count] of outcomes.secondsCounts.entries()) {
    const upper = OUTCOME_BOUNDS_SECONDS[position]
    if (upper === undefined) return OUTCOME_BOUNDS_SECONDS.at(-1) ?? null
    if (below + count >= wanted) {
      const lower = position === 0 ? 0 : (OUTCOME_BOUNDS_SECONDS[position - 1] ?? 0)
      const part = count === 0 ? 1 : (wanted - below) / count
      return Math.round((lower + (upper - lower) * part) * 10) / 10
    }
    below += count
  }
  return null
}
