import type { OperatorItem } from '#contract/catalog.ts'
import { ANY_OPERATOR } from '#web/buying/initial/choice.ts'

/**
 * Returns true if the operator was measured and no purchase got a code. Lists put such an operator last, even if cheap.
 */
export function hasNoCodes({ id, success_share: share }: OperatorItem): boolean {
  return id !== ANY_OPERATOR && share === 0
}
