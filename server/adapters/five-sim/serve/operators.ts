import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import type { Context } from '#server/house/context.ts'
import { operatorSlug } from '#server/house/seed/slugs.ts'

/** Returns true if an active supplier lists the operator in one of these countries. Sold-out operators count too. */
export function hasOperator(ctx: Context, countryIds: readonly number[], slug: string): boolean {
  const catalog = catalogOf(ctx)
  const rentCatalog = rentCatalogOf(ctx)
  const isIt = (operator: string) => operatorSlug(operator) === slug
  return countryIds.some((id) => catalog.hasOperator(id, isIt) || rentCatalog.hasOperator(id, isIt))
}
