import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { PreorderRecord } from '#contract/preorder.ts'
import { SECOND } from '#contract/time.ts'
import { useApi, useAppContext, useSession } from '#web/house/app-context.ts'
import { useStore } from '#web/house/stores/store.ts'
import { loadPreorders, PREORDERS_KEY, type PreordersSeed, seedPreorders } from '#web/live/apply-preorder.ts'

/** Polling finds changes whose live events were missed, and replaces live events if the socket is down. */
const REFRESH_MS = 60 * SECOND
const OFFLINE_REFRESH_MS = 5 * SECOND

/** Returns the pre-orders, newest first; undefined until loaded. `seed` is the loader's reply. */
export function usePreorders(seed: PreordersSeed | null): readonly PreorderRecord[] | undefined {
  const api = useApi()
  const { status } = useSession()
  const queryClient = useQueryClient()
  const { live } = useAppContext()
  const connected = useStore(live.state) === 'connected'
  const { data } = useQuery({
    queryKey: PREORDERS_KEY,
    queryFn: ({ signal }) => loadPreorders(queryClient, () => api('GET /api/v1/preorders', {}, { signal })),
    enabled: status === 'authenticated',
    refetchInterval: connected ? REFRESH_MS : OFFLINE_REFRESH_MS,
    ...(seed === null ? {} : { initialData: () => seedPreorders(queryClient, seed), ...live.staleness(seed.askedAt) }),
  })
  return data?.data
}
