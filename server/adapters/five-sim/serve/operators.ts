import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import type { Context } from '#server/house/context.ts'
import { operatorSlug } from '#server/house/seed/slugs.ts'

/** Whether an active supplier has the operator in one of these countries, even sold out or with its link down. */
export function hasOperator(ctx: Context, countryIds: readonly number[], slug: string): boolean {
  const catalog = catalogOf(ctx)
  const rentCatalog = rentCatalogOf(ctx)
  const isIt = (operator: string) => operatorSlug(operator) === slug
  return countryIds.some((id) => catalog.hasOperator(id, isIt) || rentCatalog.hasOperator(id, isIt))
}
