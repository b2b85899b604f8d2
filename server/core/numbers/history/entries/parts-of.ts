import { toDecimal } from '#contract/money.ts'
import type { Entry } from '#contract/past/entries.ts'
import type { StepRow } from './entry-queries.ts'

type Part = Pick<StepRow, 'kind' | 'purpose' | 'kind_micros'>

/**
 * Sums by kind, in the order they began. The purchase of a pre-order is held in place of what was set aside for it, so
 * that is no second setting aside, and as much of the first did not come back.
 */
export function partsOf(rows: readonly Part[]): Entry['parts'] {
  const sums = new Map<Part['kind'], bigint>()
  const isPreorder = rows.some(({ purpose }) => purpose === 'preorder')
  for (const { kind, purpose, kind_micros: micros } of rows) {
    if (micros === null) continue
    const isInPlace = isPreorder && kind === 'hold' && purpose !== 'preorder'
    const named = isInPlace ? 'release' : kind
    sums.set(named, (sums.get(named) ?? 0n) + (isInPlace ? -micros : micros))
  }
  return [...sums].flatMap(([kind, micros]) => (micros > 0n ? [{ kind, amount: toDecimal(micros) }] : []))
}
