import type { OperatorItem } from '#contract/catalog.ts'
import { ANY_OPERATOR } from '#web/buying/initial/choice.ts'

/** Returns true if an operator was measured but delivered no codes. Lists put it last, even if it is cheap. */
export function hasNoCodes({ id, success_share: share }: OperatorItem): boolean {
  return id !== ANY_OPERATOR && share === 0
}
