import type { Context } from '#server/context.ts'
import { operatorSlug } from '#server/seed/slugs.ts'

/** Whether a supplier at work has it in one of these countries, sold out or with its link down too. */
export function hasOperator({ catalog, rentCatalog }: Context, countryIds: readonly number[], slug: string): boolean {
  const isIt = (operator: string) => operatorSlug(operator) === slug
  return countryIds.some((id) => catalog.hasOperator(id, isIt) || rentCatalog.hasOperator(id, isIt))
}
