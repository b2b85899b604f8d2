import { FULL_NUMBER } from '#contract/rental.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import type { Context } from '#server/house/context.ts'
import { operatorSlug } from '#server/house/seed/slugs.ts'
import { createReplyCache, inSlices, WHOLE_CACHED_MS } from './reply-cache.ts'

export type Kinds = { activation?: 1; hosting?: 1 }
type Operators = ReadonlyMap<number, ReadonlyMap<string, Kinds>>

const kept = createReplyCache<Operators>('5sim operators')

export function operatorsByCountry(ctx: Context): Promise<Operators> {
  return kept(ctx, 'operators', () => countOperators(ctx), WHOLE_CACHED_MS)
}

async function countOperators(ctx: Context): Promise<Operators> {
  const found = new Map<number, ReadonlyMap<string, Kinds>>()
  await inSlices([...catalogOf(ctx).countries.keys()], (id) => found.set(id, operatorsOf(ctx, id)))
  return found
}

function operatorsOf(ctx: Context, countryId: number): Map<string, Kinds> {
  const catalog = catalogOf(ctx)
  const rentCatalog = rentCatalogOf(ctx)
  const found = new Map<string, Kinds>()
  const note = (operator: string, kind: keyof Kinds) => {
    const slug = operatorSlug(operator)
    found.set(slug, { ...found.get(slug), [kind]: 1 })
  }
  const names = new Set<string>()
  for (const { offers } of catalog.pairsOfCountry(countryId).values())
    for (const { operator } of offers) names.add(operator)
  for (const operator of names) note(operator, 'activation')
  for (const { operator } of rentCatalog.pair(FULL_NUMBER, countryId)?.offers ?? []) note(operator, 'hosting')
  return found
}
