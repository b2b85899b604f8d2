import type { StatisticsSum } from '#contract/past/history.ts'

export const MEAN_STEPS = 7

type Measured = Pick<StatisticsSum, 'activations' | 'success_share'>

/**
 * Returns each step's success rate over MEAN_STEPS steps that end with it. Every activation counts once, so a day with
 * one purchase moves the mean little. A step without activations has no mean. `lead` are the steps before the first.
 */
export function meanShares(steps: readonly Measured[], lead: readonly Measured[] = []): (number | null)[] {
  const before = lead.slice(1 - MEAN_STEPS)
  const all = [...before, ...steps]
  return steps.map(({ success_share: share }, place) => {
    if (share === null) return null
    const end = before.length + place + 1
    return meanOf(all.slice(Math.max(0, end - MEAN_STEPS), end))
  })
}

function meanOf(steps: readonly Measured[]): number | null {
  const count = steps.reduce((sum, { activations }) => sum + activations, 0)
  const codes = steps.reduce((sum, step) => sum + (step.success_share ?? 0) * step.activations, 0)
  return count === 0 ? null : codes / count
}
