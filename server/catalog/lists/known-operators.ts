import type { CatalogIndex } from '#server/catalog/offers/catalog-index.ts'
import { readSeedOperators } from '#server/seed/seed-tables.ts'

let seeded: Map<number, string[]> | undefined

/** Whether a country has this mobile operator: one that sells something there now, or one of those we know to exist. */
export function isKnownOperator(catalog: CatalogIndex, countryId: number, operator: string): boolean {
  for (const pair of catalog.pairsOfCountry(countryId).values()) {
    if (pair.offers.some((offer) => offer.operator === operator)) return true
  }
  // Read when first asked for, and kept: it is part of the program.
  seeded ??= readSeedOperators()
  return seeded.get(countryId)?.includes(operator) ?? false
}
