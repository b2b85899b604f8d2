import type { Context } from '#server/context.ts'

/** Another number whenever a price, a stock or a name in the catalogue may be another: both indexes only ever count up. */
export function pricesVersion({ catalog, rentCatalog }: Pick<Context, 'catalog' | 'rentCatalog'>): number {
  return catalog.version + rentCatalog.version
}
