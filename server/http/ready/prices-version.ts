import type { Context } from '#server/context.ts'

/** Changes with every price, stock or name; both versions only grow. */
export function pricesVersion({ catalog, rentCatalog }: Pick<Context, 'catalog' | 'rentCatalog'>): number {
  return catalog.version + rentCatalog.version
}
