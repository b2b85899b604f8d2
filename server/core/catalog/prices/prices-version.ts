import type { Context } from '#server/house/context.ts'
import { catalogOf } from '../offers/catalog-index.ts'
import { rentCatalogOf } from '../offers/rent-index.ts'

/** Returns a version that changes with every price, stock or name, as the sum of two versions that only grow. */
export function pricesVersion(ctx: Pick<Context, 'memory'>): number {
  return catalogOf(ctx).version + rentCatalogOf(ctx).version
}
