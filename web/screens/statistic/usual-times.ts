import type { StatisticsSum } from '#contract/past/history.ts'
import { MEAN_STEPS } from './mean-shares.ts'

type Timed = Pick<StatisticsSum, 'codes' | 'median_seconds'>

/**
 * Returns each step's usual seconds to a code over MEAN_STEPS steps that end with it: the median of their medians, in
 * which every code counts once. A single slow code does not make a peak. A step without codes has no time.
 */
export function usualTimes(steps: readonly Timed[], lead: readonly Timed[] = []): (number | null)[] {
  const before = lead.slice(1 - MEAN_STEPS)
  const all = [...before, ...steps]
  return steps.map(({ median_seconds: seconds }, place) => {
    if (seconds === null) return null
    const end = before.length + place + 1
    return medianOf(all.slice(Math.max(0, end - MEAN_STEPS), end))
  })
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
