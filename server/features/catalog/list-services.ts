import { LRUCache } from 'lru-cache'
import type { ServiceItem, ServicesReply } from '#contract/catalog.ts'
import type { Locale } from '#contract/constants.ts'
import type { Currency } from '#contract/money.ts'
import type { Context } from '#server/context.ts'
import { listFavorites } from '#server/features/favorites/queries.ts'
import type { Caller } from '#server/http/caller.ts'
import type { CatalogIndex } from './catalog-index.ts'
import { measurePair, measurePairs } from './measured.ts'

type Listed = { item: ServiceItem; searchText: string }
type Filter = {
  load?: 'all' | undefined
  search?: string | undefined
  is_favorite?: '0' | '1' | undefined
  country_id?: number | undefined
  page: number
  per_page: number
}

/** Code `full` is the whole number of a rental, not an activation. */
const RENTAL_ONLY = 'full'
const LISTS_REMEMBERED = 600

/** Services by popularity, with price and stock in one country or in all. From memory; only favourites ask the database. */
export async function listServices(ctx: Context, caller: Caller, filter: Filter): Promise<ServicesReply> {
  const currency = caller.member?.currency ?? caller.zone.currency
  const favorites = await listFavorites(ctx.db, { userId: caller.member?.userId ?? null, kind: 'service' })
  const search = filter.search?.trim().toLowerCase() ?? ''
  const fitting = listed(ctx.catalog, { locale: caller.locale, currency, countryId: filter.country_id }).filter(
    ({ item, searchText }) =>
      (search === '' || searchText.includes(search)) && (filter.is_favorite !== '1' || favorites.has(item.id)),
  )
  const from = filter.load === 'all' ? 0 : (filter.page - 1) * filter.per_page
  const to = filter.load === 'all' ? fitting.length : from + filter.per_page
  const shown = fitting.slice(from, to)
  return {
    status: true,
    count: fitting.length,
    favorites: favorites.size,
    services: shown.map(({ item }) => (favorites.has(item.id) ? { ...item, is_favorite: true } : item)),
  }
}

const remembered = new WeakMap<CatalogIndex, { version: number; lists: LRUCache<string, Listed[]> }>()

function listed(
  catalog: CatalogIndex,
  wanted: { locale: Locale; currency: Currency; countryId: number | undefined },
): Listed[] {
  let memory = remembered.get(catalog)
  if (memory === undefined || memory.version !== catalog.version) {
    memory = { version: catalog.version, lists: new LRUCache({ max: LISTS_REMEMBERED }) }
    remembered.set(catalog, memory)
  }
  const key = `${wanted.locale} ${wanted.currency} ${wanted.countryId ?? ''}`
  const found = memory.lists.get(key)
  if (found !== undefined) return found
  const made = compute(catalog, wanted)
  memory.lists.set(key, made)
  return made
}

function compute(
  catalog: CatalogIndex,
  wanted: { locale: Locale; currency: Currency; countryId: number | undefined },
): Listed[] {
  const { countryId, currency } = wanted
  const list: Listed[] = []
  for (const service of catalog.services.values()) {
    if (service.blocked_at !== null || service.code === RENTAL_ONLY) continue
    const figures =
      countryId === undefined
        ? measurePairs(catalog, catalog.pairsOfService(service.code), currency)
        : measurePair(catalog.pair(service.code, countryId), currency)
    list.push({
      item: {
        id: service.code,
        name: wanted.locale === 'ru' ? service.name_ru : service.name_en,
        is_favorite: false,
        ...figures,
      },
      searchText: `${service.name_en}\n${service.name_ru}\n${service.code}`.toLowerCase(),
    })
  }
  return list
}
