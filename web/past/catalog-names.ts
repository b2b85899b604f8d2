import { useQuery } from '@tanstack/react-query'
import { MINUTE } from '#contract/time.ts'
import { useApi } from '#web/app-context.ts'

/** Names hardly ever change. */
const NAMES_AGE_MS = 10 * MINUTE

/** Shares its query key with the buy panel, so it is often a cache hit. */
export function useServiceNames(options: { enabled: boolean }) {
  const api = useApi()
  return useQuery({
    queryKey: ['services', { load: 'all' }],
    queryFn: ({ signal }) => api('GET /api/services', { load: 'all' }, { signal }),
    select: ({ services }) => services,
    staleTime: NAMES_AGE_MS,
    ...options,
  })
}

export function useCountryNames(options: { enabled: boolean }) {
  const api = useApi()
  return useQuery({
    queryKey: ['countries', { load: 'all', sort: 'name' }],
    queryFn: ({ signal }) => api('GET /api/countries', { load: 'all', sort: 'name' }, { signal }),
    select: ({ countries }) => countries,
    staleTime: NAMES_AGE_MS,
    ...options,
  })
}
