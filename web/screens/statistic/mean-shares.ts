import type { StatisticsSum } from '#contract/past/history.ts'
import { overLastSteps } from './last-steps.ts'

type Measured = Pick<StatisticsSum, 'activations' | 'success_share'>

/**
 * Returns each step's success rate over the last steps. Every activation counts once, so a day with one purchase moves
 * the mean little. A step without activations has no mean. `lead` are the steps before the first.
 */
export function meanShares(steps: readonly Measured[], lead: readonly Measured[] = []): (number | null)[] {
  return overLastSteps(steps, lead, (last, { success_share: share }) => (share === null ? null : meanOf(last)))
}

function meanOf(steps: readonly Measured[]): number | null {
  const count = steps.reduce((sum, { activations }) => sum + activations, 0)
  const codes = steps.reduce((sum, step) => sum + (step.success_share ?? 0) * step.activations, 0)
  return count === 0 ? null : codes / count
}
