import type { CountriesReply, CountryItem } from '#contract/catalog.ts'
import type { Locale } from '#contract/constants.ts'
import { rankBy } from '#contract/formats/search-names.ts'
import { type Currency, parseDecimal } from '#contract/money.ts'
import { listFavorites } from '#server/core/catalog/favorites/queries.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { CountryRow } from '#server/core/catalog/offers/queries.ts'
import type { Context } from '#server/house/context.ts'
import type { Caller } from '#server/house/http/caller.ts'
import type { Prepared } from '#server/house/http/ready/pack-reply.ts'
import { listName } from './list-name.ts'
import { activationSource, type ListSource } from './list-source.ts'
import { countryNames } from './searched-names.ts'

type Sort = 'popular' | 'price' | 'stock' | 'success' | 'name'
type Filter = {
  load?: 'all' | undefined
  search?: string | undefined
  is_favorite?: '0' | '1' | undefined
  service_id?: string | undefined
  sort?: Sort | undefined
  page: number
  per_page: number
}

export async function prepareCountries(
  ctx: Context,
  caller: Caller,
  filter: Filter,
  source: ListSource = activationSource(ctx),
): Promise<Prepared<CountriesReply>> {
  const { locale } = caller
  const currency = caller.member?.currency ?? caller.zone.currency
  const favorites = await listFavorites(ctx.db, {
    userId: caller.member?.userId ?? null,
    mode: source.mode,
    kind: 'country',
  })
  if (filter.service_id !== undefined && !catalogOf(ctx).services.has(filter.service_id)) {
    return { cacheKey: null, make: () => ({ status: true, count: 0, favorites: favorites.size, countries: [] }) }
  }
  return {
    cacheKey: listName({ version: source.index.version, locale, currency, favorites, filter }),
    make: () => {
      const rows = catalogOf(ctx).countries.values()
      const fitting = findCountries(rows, { source, locale, currency, favorites }, filter)
      const sorted = sortCountries(fitting, filter.sort ?? 'popular', locale)
      const from = filter.load === 'all' ? 0 : (filter.page - 1) * filter.per_page
      const to = filter.load === 'all' ? sorted.length : from + filter.per_page
      return { status: true, count: sorted.length, favorites: favorites.size, countries: sorted.slice(from, to) }
    },
  }
}

function findCountries(
  rows: Iterable<CountryRow>,
  view: { source: ListSource; locale: Locale; currency: Currency; favorites: ReadonlySet<string> },
  filter: Filter,
): CountryItem[] {
  const fitting: CountryItem[] = []
  for (const row of rankBy([...rows], filter.search ?? '', (country) => countryNames(country, view.locale))) {
    const isFavorite = view.favorites.has(String(row.id))
    if (filter.is_favorite === '1' && !isFavorite) continue
    const figures = view.source.measureCountry({
      countryId: row.id,
      serviceCode: filter.service_id,
      currency: view.currency,
    })
    const { name, also } = countryNames(row, view.locale)
    const found = { id: row.id, name, iso2: row.iso2, dial: row.dial, is_favorite: isFavorite, ...figures }
    fitting.push(filter.load === 'all' ? { ...found, also: [...also] } : found)
  }
  return fitting
}

function sortCountries(countries: CountryItem[], sort: Sort, locale: string): CountryItem[] {
  const inStockFirst = (a: CountryItem, b: CountryItem) => Number(b.count > 0) - Number(a.count > 0)
  const order = orderOf(sort, locale)
  return countries.sort((a, b) => inStockFirst(a, b) || order(a, b))
}

function orderOf(sort: Sort, locale: string): (a: CountryItem, b: CountryItem) => number {
  switch (sort) {
    case 'popular':
      return () => 0
    case 'price':
      return comparePrice
    case 'stock':
      return (a, b) => b.count - a.count
    case 'success':
      return (a, b) => (b.success_share ?? -1) - (a.success_share ?? -1)
    case 'name': {
      const collator = new Intl.Collator(locale)
      return (a, b) => collator.compare(a.name, b.name)
    }
    default:
      return sort satisfies never
  }
}

function comparePrice(a: CountryItem, b: CountryItem): number {
  const left = a.price === null ? null : parseDecimal(a.price)
  const right = b.price === null ? null : parseDecimal(b.price)
  if (left === right) return 0
  if (left === null) return 1
  if (right === null) return -1
  return left < right ? -1 : 1
}
