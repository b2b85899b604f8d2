import type { ServiceItem, ServicesReply } from '#contract/catalog.ts'
import type { Locale } from '#contract/constants.ts'
import { rankBy } from '#contract/formats/search-names.ts'
import type { Currency } from '#contract/money.ts'
import { listFavorites } from '#server/core/catalog/favorites/queries.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { type BoundedCache, boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import type { Caller } from '#server/house/http/caller.ts'
import type { Prepared } from '#server/house/http/ready/pack-reply.ts'
import { listName } from './list-name.ts'
import { activationSource, type ListSource } from './list-source.ts'
import { type SearchedNames, serviceNames } from './searched-names.ts'

type Listed = { item: ServiceItem; names: SearchedNames }
type Filter = {
  load?: 'all' | undefined
  search?: string | undefined
  is_favorite?: '0' | '1' | undefined
  country_id?: number | undefined
  page: number
  per_page: number
}

const LISTS_REMEMBERED = 600

export async function prepareServices(
  ctx: Context,
  caller: Caller,
  filter: Filter,
  source: ListSource = activationSource(ctx),
): Promise<Prepared<ServicesReply>> {
  const { locale } = caller
  const currency = caller.member?.currency ?? caller.zone.currency
  const favorites = await listFavorites(ctx.db, {
    userId: caller.member?.userId ?? null,
    mode: source.mode,
    kind: 'service',
  })
  // A reply for an unknown country is not cached, because such empty lists would fill the cache.
  if (filter.country_id !== undefined && !catalogOf(ctx).countries.has(filter.country_id)) {
    return { cacheKey: null, make: () => toReply([], filter, favorites) }
  }
  return {
    cacheKey: listName({ version: source.index.version, locale, currency, favorites, filter }),
    make: () => {
      const all = listed(source, { locale, currency, countryId: filter.country_id })
      return toReply(all, filter, favorites)
    },
  }
}

function toReply(all: Listed[], filter: Filter, favorites: ReadonlySet<string>): ServicesReply {
  const found = rankBy(all, filter.search ?? '', ({ names }) => names)
  const fitting = filter.is_favorite === '1' ? found.filter(({ item }) => favorites.has(item.id)) : found
  const from = filter.load === 'all' ? 0 : (filter.page - 1) * filter.per_page
  const to = filter.load === 'all' ? fitting.length : from + filter.per_page
  const shown = fitting.slice(from, to)
  return {
    status: true,
    count: fitting.length,
    favorites: favorites.size,
    services: shown.map(({ item, names }) => ({
      ...item,
      is_favorite: favorites.has(item.id),
      ...(filter.load === 'all' && names.also.length > 0 && { also: [...names.also] }),
    })),
  }
}

const remembered = new WeakMap<ListSource['index'], { version: number; lists: BoundedCache<string, Listed[]> }>()

function listed(
  source: ListSource,
  wanted: { locale: Locale; currency: Currency; countryId: number | undefined },
): Listed[] {
  const { index } = source
  let memory = remembered.get(index)
  if (memory === undefined || memory.version !== index.version) {
    memory = { version: index.version, lists: boundedCache(LISTS_REMEMBERED) }
    remembered.set(index, memory)
  }
  const key = `${source.name} ${wanted.locale} ${wanted.currency} ${wanted.countryId ?? ''}`
  const found = memory.lists.get(key)
  if (found !== undefined) return found
  const made = compute(source, wanted)
  memory.lists.set(key, made)
  return made
}

function compute(
  source: ListSource,
  wanted: { locale: Locale; currency: Currency; countryId: number | undefined },
): Listed[] {
  const { countryId, currency } = wanted
  const list: Listed[] = []
  for (const service of source.services()) {
    const figures = source.measureService({ serviceCode: service.code, countryId, currency })
    list.push({
      item: {
        id: service.code,
        name: wanted.locale === 'ru' ? service.name_ru : service.name_en,
        is_favorite: false,
        ...figures,
      },
      names: serviceNames(service, wanted.locale),
    })
  }
  return list
}
