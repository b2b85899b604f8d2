import { useQuery } from '@tanstack/react-query'
import { MINUTE } from '#contract/time.ts'
import { useApi, useAppContext } from '#web/house/app-context.ts'
import { useStore } from '#web/house/stores/store.ts'
import type { NumberKindName } from '#web/live/numbers-cache.ts'

/** Names are cached this long, because they hardly ever change. */
const NAMES_AGE_MS = 10 * MINUTE

type NamesOptions = { enabled?: boolean; kind?: NumberKindName }

export function useServiceNames({ enabled = true, kind = 'activation' }: NamesOptions) {
  const api = useApi()
  const { locale } = useStore(useAppContext().language)
  return useQuery({
    queryKey: ['service-names', kind, locale],
    queryFn: ({ signal }) =>
      api(kind === 'rental' ? 'GET /api/rent-services' : 'GET /api/services', { load: 'all' }, { signal }),
    select: ({ services }) => services,
    staleTime: NAMES_AGE_MS,
    enabled,
  })
}

export function useCountryNames({ enabled = true, kind = 'activation' }: NamesOptions) {
  const api = useApi()
  const { locale } = useStore(useAppContext().language)
  return useQuery({
    queryKey: ['country-names', kind, locale],
    queryFn: ({ signal }) =>
      api(
        kind === 'rental' ? 'GET /api/rent-countries' : 'GET /api/countries',
        { load: 'all', sort: 'name' },
        { signal },
      ),
    select: ({ countries }) => countries,
    staleTime: NAMES_AGE_MS,
    enabled,
  })
}
