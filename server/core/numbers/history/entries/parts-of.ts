import { toDecimal } from '#contract/money.ts'
import type { Entry } from '#contract/past/entries.ts'
import type { StepRow } from './entry-queries.ts'

type Part = Pick<StepRow, 'kind' | 'purpose' | 'kind_micros'>

/**
 * Sums the movements of one purchase or payment by kind, in the order in which the kinds first appear. A pre-order
 * releases its money and the purchase holds the same money again. The amount of that purchase therefore reduces the
 * releases instead of adding to the holds.
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
