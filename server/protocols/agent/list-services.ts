import { quote } from '#server/catalog/prices/quote.ts'
import type { Context } from '#server/context.ts'
import { type CountrySlugs, countrySlugs } from '#server/suppliers/sim-bank/country-slugs.ts'
import type { Outlet } from './outlet.ts'

type Entry = { country: string; operatorMap: Record<string, Record<string, number>> }

/**
 * GET_SERVICES. Counted is what could be sold at the platform's sum, with the money of the account: a count that is
 * more than that would be a lie by the protocol.
 */
export function listServices(ctx: Context, outlet: Outlet): Entry[] {
  if (outlet.pausedAt !== null || ctx.buying.stopped) return []
  const slugs = slugsFor(ctx, outlet)
  const entries: Entry[] = []
  for (const countryId of ctx.catalog.countries.keys()) {
    const country = slugs.slugOf(countryId)
    const operatorMap = country === undefined ? {} : countOperators(ctx, outlet, countryId)
    if (country !== undefined && Object.keys(operatorMap).length > 0) entries.push({ country, operatorMap })
  }
  return entries
}

export function slugsFor({ catalog }: Context, { settings }: Outlet): CountrySlugs {
  const rows = [...catalog.countries.values()]
  return countrySlugs(
    rows.map(({ id, name_en: name, dial }) => ({ id, name, dial })),
    settings.countries,
  )
}

function countOperators(ctx: Context, outlet: Outlet, countryId: number): Entry['operatorMap'] {
  const counts: Entry['operatorMap'] = {}
  for (const service of outlet.settings.services) {
    const pair = ctx.catalog.pair(service.code, countryId)
    const sum = service.sumByCountry[countryId] ?? service.sum
    for (const operator of new Set(pair?.offers.map((offer) => offer.operator))) {
      const count = countOf(ctx, outlet, { serviceCode: service.code, countryId, operator, sum })
      if (count === 0) continue
      const ofOperator = counts[operator] ?? {}
      ofOperator[service.theirs ?? service.code] = count
      counts[operator] = ofOperator
    }
  }
  return counts
}

function countOf(
  { catalog }: Context,
  { currency, availableMicros }: Outlet,
  { sum, ...wanted }: { serviceCode: string; countryId: number; operator: string; sum: bigint },
): number {
  const found = quote(catalog, { ...wanted, currency })
  if (typeof found === 'string' || found.priceMicros > sum) return 0
  const stock = found.candidates.reduce((total, offer) => total + offer.stock, 0)
  const affordable = found.priceMicros === 0n ? stock : Number(availableMicros / found.priceMicros)
  return Math.min(stock, affordable)
}
