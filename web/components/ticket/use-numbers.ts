import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ActivationRecord, ActiveNumbers } from '#contract/activation.ts'
import type { ActiveNumbersFilter } from '#contract/buying-calls.ts'
import { SECOND } from '#contract/time.ts'
import { useFrame, useSession } from '../../frame.ts'
import { type ActiveNumbersPages, activeNumbersKey, KEPT_TICKETS_KEY } from '../../live/apply-to-cache.ts'
import { useAtNow } from '../../live/use-at-now.ts'
import { useStore } from '../../store.ts'
import { secondsUntil } from '../time-left.ts'
import { followChanges } from './follow-changes.ts'
import { mergeTickets } from './merge-tickets.ts'

/** Live events are the news; asking at this pace keeps the list true all the same. */
const REFRESH_MS = 30 * SECOND
/** Without a socket asking is the only news. */
const OFFLINE_REFRESH_MS = 5 * SECOND
/** A number is being got, or its time is over and its end not known yet. */
const URGENT_REFRESH_MS = 2 * SECOND

/** What a loader brought, and for which filter: it seeds that list and no other. */
export type ActiveNumbersSeed = { filter: ActiveNumbersFilter; page: ActiveNumbers }

/** A person's numbers: pages of 20 that load one after another, kept fresh by live events and by asking. */
export function useActiveNumbers(filter: ActiveNumbersFilter, seed: ActiveNumbersSeed | null) {
  const { api, live } = useFrame()
  const { status } = useSession()
  const queryClient = useQueryClient()
  const connected = useStore(live.state) === 'connected'
  const queryKey = activeNumbersKey(filter)
  const urgent = useAtNow((nowMs) => isUrgent(queryClient.getQueryData<ActiveNumbersPages>(queryKey), nowMs))
  const seeded = seed !== null && JSON.stringify(seed.filter) === JSON.stringify(filter)
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      const page = await api('GET /api/user/active-numbers', { ...filter, page: pageParam }, { signal })
      const shown = queryClient.getQueryData<ActiveNumbersPages>(queryKey)?.pages[pageParam - 1]
      if (shown !== undefined) await followChanges({ api, live, queryClient }, shown, page)
      return page
    },
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length < last.numbers.meta.last_page ? pages.length + 1 : undefined),
    enabled: status === 'authenticated',
    refetchInterval: urgent ? URGENT_REFRESH_MS : connected ? REFRESH_MS : OFFLINE_REFRESH_MS,
    // The person looks at the site that sends the code, not at this one.
    refetchIntervalInBackground: !connected,
    ...(seeded ? { initialData: { pages: [seed.page], pageParams: [1] } } : {}),
  })
  const kept = useKeptTickets()
  return {
    query,
    tickets: mergeTickets(query.data?.pages ?? [], kept, filter),
    total: query.data?.pages[0]?.total_count ?? 0,
  }
}

function useKeptTickets(): ActivationRecord[] {
  const queryClient = useQueryClient()
  const { data } = useQuery({
    queryKey: KEPT_TICKETS_KEY,
    queryFn: () => queryClient.getQueryData<ActivationRecord[]>(KEPT_TICKETS_KEY) ?? [],
    initialData: [],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return data
}

function isUrgent(loaded: ActiveNumbersPages | undefined, nowMs: number): boolean {
  const records = loaded?.pages.flatMap((page: ActiveNumbers) => page.numbers.data) ?? []
  return records.some(({ state, expires_at }) => state === 'reserving' || secondsUntil(expires_at, nowMs) === 0)
}
