import type { OperatorItem } from '#contract/catalog.ts'
import { parseDecimal } from '#contract/money.ts'

/** Sorts quality steps by price, then by share of codes. Steps without a measurement or a price come last. */
export function cheapestFirst(operators: readonly OperatorItem[]): OperatorItem[] {
  const keyed = operators.map((operator) => ({ operator, micros: parseDecimal(operator.price ?? '') }))
  keyed.sort((a, b) => {
    if (a.micros === null || b.micros === null) return Number(a.micros === null) - Number(b.micros === null)
    if (a.micros !== b.micros) return a.micros < b.micros ? -1 : 1
    return (b.operator.success_share ?? -1) - (a.operator.success_share ?? -1)
  })
  return keyed.map(({ operator }) => operator)
}
