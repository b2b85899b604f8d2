import type { CatalogIndex } from '#server/catalog/offers/catalog-index.ts'
import { readSeedOperators } from '#server/seed/seed-tables.ts'

let seeded: Map<number, string[]> | undefined

/** An operator that sells there now, or one of the seed. */
export function isKnownOperator(catalog: CatalogIndex, countryId: number, operator: string): boolean {
  for (const pair of catalog.pairsOfCountry(countryId).values()) {
    if (pair.offers.some((offer) => offer.operator === operator)) return true
  }
  seeded ??= readSeedOperators()
  return seeded.get(countryId)?.includes(operator) ?? false
}
