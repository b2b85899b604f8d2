import type { OperatorItem } from '#contract/catalog.ts'
import { ANY_OPERATOR } from '#web/buying/initial/choice.ts'

/** Measured, and no purchase got a code: it stands behind the others, however cheap. */
export function hasNoCodes({ id, success_share: share }: OperatorItem): boolean {
  return id !== ANY_OPERATOR && share === 0
}
