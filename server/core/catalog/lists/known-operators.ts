import type { CatalogIndex } from '#server/core/catalog/offers/catalog-index.ts'
import { readSeedOperators } from '#server/house/seed/seed-tables.ts'

let seeded: Map<number, string[]> | undefined

export function isKnownOperator(catalog: CatalogIndex, countryId: number, operator: string): boolean {
  if (catalog.hasOperator(countryId, (name) => name === operator)) return true
  seeded ??= readSeedOperators()
  return seeded.get(countryId)?.includes(operator) ?? false
}
