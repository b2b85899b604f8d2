import type { OperatorItem } from '#contract/catalog.ts'
import { parseDecimal } from '#contract/money.ts'

/** The steps of quality: by price, of one price by the share of codes. What is not measured or sold comes last. */
export function cheapestFirst(operators: readonly OperatorItem[]): OperatorItem[] {
  const keyed = operators.map((operator) => ({ operator, micros: parseDecimal(operator.price ?? '') }))
  keyed.sort((a, b) => {
    if (a.micros === null || b.micros === null) return Number(a.micros === null) - Number(b.micros === null)
    if (a.micros !== b.micros) return a.micros < b.micros ? -1 : 1
    return (b.operator.success_share ?? -1) - (a.operator.success_share ?? -1)
  })
  return keyed.map(({ operator }) => operator)
}
