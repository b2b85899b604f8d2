import type { StatisticsSum } from '#contract/past/history.ts'
import { overLastSteps } from './last-steps.ts'

type Timed = Pick<StatisticsSum, 'codes' | 'median_seconds'>

/**
 * Returns each step's usual seconds to a code: the median of the last steps' medians, in which every code counts once.
 * A single slow code makes no peak. A step without codes has no time. `lead` are the steps before the first.
 */
export function usualTimes(steps: readonly Timed[], lead: readonly Timed[] = []): (number | null)[] {
  return overLastSteps(steps, lead, (last, { median_seconds: seconds }) => (seconds === null ? null : medianOf(last)))
}

function medianOf(steps: readonly Timed[]): number | null {
  const timed = steps.flatMap(({ codes, median_seconds: seconds }) => (seconds === null ? [] : [{ codes, seconds }]))
  const half = timed.reduce((sum, { codes }) => sum + codes, 0) / 2
  let counted = 0
  for (const { codes, seconds } of timed.toSorted((one, other) => one.seconds - other.seconds)) {
    counted += codes
    if (counted >= half) return seconds
  }
  return null
}
