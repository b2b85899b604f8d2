import { DAY } from '#contract/time.ts'
import type { OutcomeSum } from './queries/outcomes.ts'
import type { NormOf } from './share-evidence.ts'

/**
 * A supplier's norm (its usual share of codes) is computed from the last 30 days. The last day is left out, because
 * its share of codes is compared with the norm.
 */
export const NORM_FROM_MS = 30 * DAY
export const NORM_UNTIL_MS = DAY

const LEAST_PURCHASES = 50
/** In the norm of a service and country, the supplier's mean weighs as much as this number of purchases. */
const WEIGHT_OF_MEAN = 20
/** The bounds of a norm. At a share of codes beyond these bounds, a single purchase would decide. */
const LOWEST = 0.05
const HIGHEST = 0.95

export class Norms {
  readonly #ofSupplier = new Map<number, { mean: number; pairs: Map<string, number> }>()

  constructor(sums: readonly OutcomeSum[] = []) {
    for (const [supplierId, rows] of Map.groupBy(sums, (row) => row.supplier_id)) {
      const purchases = rows.reduce((total, row) => total + row.purchases, 0)
      if (purchases < LEAST_PURCHASES) continue
      const mean = rows.reduce((total, row) => total + row.codes, 0) / purchases
      const pairs = new Map(
        rows.map((row) => [
          nameOf(row.service_code, row.country_id),
          (row.codes + WEIGHT_OF_MEAN * mean) / (row.purchases + WEIGHT_OF_MEAN),
        ]),
      )
      this.#ofSupplier.set(supplierId, { mean, pairs })
    }
  }

  of(supplierId: number): NormOf {
    const known = this.#ofSupplier.get(supplierId)
    if (known === undefined) return () => null
    return (serviceCode, countryId) => {
      const share = known.pairs.get(nameOf(serviceCode, countryId)) ?? known.mean
      return Math.min(HIGHEST, Math.max(LOWEST, share))
    }
  }
}

function nameOf(serviceCode: string, countryId: number): string {
  return `${serviceCode}|${countryId}`
}
