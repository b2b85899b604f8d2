import { SERVER_PAGE_SIZE } from '#contract/constants.ts'
import type { NumberKindName, NumbersFilter } from '#web/live/numbers-cache.ts'

const SORTS = ['newest', 'oldest', 'expiring'] as const
const MAX_SEARCH_LENGTH = 100
const MAX_IDS = 50

/** Reads the filter of a list: `?search=7705&services=tg,wa&countries=2&sort=oldest`, and `&ended=1` for rentals. */
export function readActiveFilter(params: URLSearchParams, kind: NumberKindName): NumbersFilter {
  const search = (params.get('search') ?? '').trim().slice(0, MAX_SEARCH_LENGTH)
  const services = splitIds(params.get('services')).filter((id) => /^[\w-]{1,60}$/.test(id))
  const countries = splitIds(params.get('countries')).filter((id) => /^\d{1,6}$/.test(id))
  const sort = SORTS.find((known) => known === params.get('sort'))
  return {
    ...(search === '' ? {} : { search }),
    ...(services.length === 0 ? {} : { services_ids: services }),
    ...(countries.length === 0 ? {} : { countries_ids: countries.map(Number) }),
    ...(sort === undefined || sort === 'newest' ? {} : { sort }),
    ...(kind === 'rental' && params.get('ended') === '1' ? { ended: '1' } : {}),
    per_page: SERVER_PAGE_SIZE,
  }
}

/** Writes the filter into the query. Other parameters stay, also `ended`, because it selects a tab. */
export function writeActiveFilter(params: URLSearchParams, filter: NumbersFilter): URLSearchParams {
  const next = new URLSearchParams(params)
  const values = {
    search: filter.search ?? '',
    services: (filter.services_ids ?? []).join(','),
    countries: (filter.countries_ids ?? []).join(','),
    sort: filter.sort === 'newest' ? '' : (filter.sort ?? ''),
  }
  for (const [name, value] of Object.entries(values)) {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}

/** Returns true if the filter hides numbers. The sort order hides none. */
export function isNarrowed(filter: NumbersFilter): boolean {
  return (filter.search ?? '') !== '' || countFilters(filter) > 0
}

export function countFilters(filter: NumbersFilter): number {
  return (filter.services_ids?.length ?? 0) + (filter.countries_ids?.length ?? 0)
}

function splitIds(text: string | null): string[] {
  const ids = (text ?? '').split(',').filter((id) => id !== '')
  return [...new Set(ids)].slice(0, MAX_IDS)
}
