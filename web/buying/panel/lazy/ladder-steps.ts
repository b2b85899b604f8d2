import type { OperatorItem } from '#contract/catalog.ts'
import { ANY_OPERATOR } from '#web/buying/initial/choice.ts'
import { hasNoCodes } from '#web/buying/panel/no-codes.ts'

/** Returns operators with numbers: `any`, then the cheapest first. Operators that gave no codes come last. */
export function stepsOf(operators: readonly OperatorItem[]): OperatorItem[] {
  const sold = operators.filter(({ price, count }) => price !== null && count > 0)
  return [...sold.filter((one) => !hasNoCodes(one)), ...sold.filter(hasNoCodes)]
}

/** Returns the measured operator with the largest share, the cheapest among equals; undefined without a choice. */
export function bestOf(steps: readonly OperatorItem[]): OperatorItem | undefined {
  const measured = steps.filter(({ id, success_share: share }) => id !== ANY_OPERATOR && share !== null)
  if (measured.length < 2) return undefined
  return measured.reduce((best, one) => ((one.success_share ?? 0) > (best.success_share ?? 0) ? one : best))
}
