import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { quote } from '#server/core/catalog/prices/quote.ts'
import { buyingOf } from '#server/core/numbers/sourcing/buying-stopped.ts'
import type { Context } from '#server/house/context.ts'
import { type CountrySlugs, countrySlugs } from '#server/house/seed/country-slugs.ts'
import type { Outlet } from './outlet.ts'

type Entry = { country: string; operatorMap: Record<string, Record<string, number>> }

/**
 * Lists the stock that a platform's price limits and balance can buy, because GET_SERVICES must not show a higher
 * count.
 */
export function listServices(ctx: Context, outlet: Outlet): Entry[] {
  if (outlet.pausedAt !== null || buyingOf(ctx).stopped) return []
  // Maps are used, because an operator may be named like a member of Object, and copying objects would be slow.
  const counts = new Map<number, Map<string, Map<string, number>>>()
  for (const service of outlet.settings.services) {
    for (const [countryId, pair] of catalogOf(ctx).pairsOfService(service.code)) {
      const ofCountry = counts.get(countryId) ?? new Map<string, Map<string, number>>()
      counts.set(countryId, ofCountry)
      for (const operator of new Set(pair.offers.map((offer) => offer.operator))) {
        const sum = service.sumByCountry[countryId] ?? service.sum
        const count = countOf(ctx, outlet, { serviceCode: service.code, countryId, operator, sum })
        if (count <= 0) continue
        const ofOperator = ofCountry.get(operator) ?? new Map<string, number>()
        ofCountry.set(operator, ofOperator.set(service.theirs ?? service.code, count))
      }
    }
  }
  const slugs = slugsFor(ctx, outlet)
  return [...counts].flatMap(([countryId, ofCountry]) => {
    const country = slugs.slugOf(countryId)
    if (country === undefined || ofCountry.size === 0) return []
    const operators = [...ofCountry].map(
      ([operator, ofOperator]) => [operator, Object.fromEntries(ofOperator)] as const,
    )
    return [{ country, operatorMap: Object.fromEntries(operators) }]
  })
}

export function slugsFor(ctx: Context, { settings }: Outlet): CountrySlugs {
  const catalog = catalogOf(ctx)
  const rows = [...catalog.countries.values()]
  return countrySlugs(
    rows.map(({ id, name_en: name, dial }) => ({ id, name, dial })),
    settings.countries,
  )
}

function countOf(
  ctx: Context,
  { currency, availableMicros }: Outlet,
  { sum, ...wanted }: { serviceCode: string; countryId: number; operator: string; sum: bigint },
): number {
  const catalog = catalogOf(ctx)
  const found = quote(catalog, { ...wanted, currency })
  if (typeof found === 'string' || found.priceMicros > sum) return 0
  const stock = found.candidates.reduce((total, offer) => total + offer.stock, 0)
  const affordable = found.priceMicros === 0n ? stock : Number(availableMicros / found.priceMicros)
  return Math.min(stock, affordable)
}
