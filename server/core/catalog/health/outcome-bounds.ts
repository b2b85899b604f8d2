/** The upper bounds, in s, of the histogram buckets in `outcome_hours.seconds_counts`; the last bucket has none. */
export const OUTCOME_BOUNDS_SECONDS = [1, 2, 3, 5, 8, 12, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1200] as const

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

/** Returns the share of purchases with a code, 0…1, or null for fewer purchases than the minimum sample. */
export function successShare(outcomes: Outcomes): number | null {
  if (outcomes.purchases < MINIMUM_SAMPLE) return null
  return Math.round((outcomes.codes / outcomes.purchases) * 1000) / 1000
}

export function medianSeconds(outcomes: Outcomes): number | null {
  return outcomes.codes < MINIMUM_SAMPLE ? null : secondsUntilShare(outcomes, MEDIAN)
}

export function p90Seconds(outcomes: Outcomes): number | null {
  return outcomes.codes < MINIMUM_SAMPLE ? null : secondsUntilShare(outcomes, P90)
}

export const MEDIAN = 0.5
export const P90 = 0.9

/**
 * Returns the seconds within which a share of codes arrived; null without codes. The last bucket has no upper bound and
 * yields its lower bound.
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

/** SQL for an activation: the logarithm of the seconds until the first code, counted as at least one second. */
export const LOG_SECONDS = 'ln(greatest(1, extract(epoch FROM first_code_at - created_at)))::float8'
