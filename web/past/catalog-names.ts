import { useQuery } from '@tanstack/react-query'
import { MINUTE } from '#contract/time.ts'
import { useApi } from '#web/app-context.ts'

/** Names hardly ever change: they are not asked for again while somebody looks back. */
const NAMES_AGE_MS = 10 * MINUTE

/** All services by popularity: the list that the buy panel searches too, so it is often here already. */
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

/** All countries by their names. */
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
