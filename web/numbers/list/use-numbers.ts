import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { SECOND } from '#contract/time.ts'
import { useAppContext, useSession } from '#web/house/app-context.ts'
import { useStore } from '#web/house/stores/store.ts'
import { keptKey, listKey, type NumbersPages, type NumbersSeed, seedList } from '#web/live/apply-to-cache.ts'
import { mergeArrivals } from '#web/live/merge-arrivals.ts'
import type { NumberRecord, NumbersFilter } from '#web/live/numbers-cache.ts'
import { loadNumbers } from '#web/numbers/initial/load-numbers.ts'
import { secondsUntil } from '#web/ui/time/time-left.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'
import { followChanges } from './follow-changes.ts'
import { endOfRound, type LoadRound } from './load-round.ts'
import { mergeTickets } from './merge-tickets.ts'
import type { NumberKind } from './number-kind.ts'
import { TICKET_PLACES_KEY, type TicketPlaces } from './ticket-places.ts'
import { areTorn } from './torn-pages.ts'

/** Polling finds changes whose live events were missed. */
const REFRESH_MS = 30 * SECOND
/** Polling replaces live events as long as the socket is down. */
const OFFLINE_REFRESH_MS = 5 * SECOND
/** The list is polled faster while a number is being bought, a number's outcome is open, or pages may lack a number. */
const URGENT_REFRESH_MS = 2 * SECOND

/** So many torn pages are loaded again at the urgent pace; more take as much longer. */
const PAGES_AT_ONCE = 20

const NO_PLACES: TicketPlaces = {}

export function useNumbers<Item extends NumberRecord>(
  kind: NumberKind<Item>,
  filter: NumbersFilter,
  seed: NumbersSeed<Item> | null,
) {
  const { api, live } = useAppContext()
  const { status } = useSession()
  const queryClient = useQueryClient()
  const connected = useStore(live.state) === 'connected'
  const queryKey = listKey(kind.name, filter)
  const [round] = useState<LoadRound<Item>>(() => ({ pages: [] }))
  const shown = () => queryClient.getQueryData<NumbersPages<Item>>(queryKey)
  const urgent = useAtNow((nowMs) => isUrgent(kind, shown(), nowMs))
  // mergeArrivals must subscribe before the query below starts its request.
  useEffect(() => mergeArrivals(queryClient), [queryClient])
  const seeded = seed !== null && JSON.stringify(seed.filter) === JSON.stringify(filter)
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      const page = await loadNumbers((input) => kind.loadPage(api, input, signal), filter, pageParam)
      const changes = endOfRound(round, { number: pageParam, page }, shown()?.pages ?? [])
      if (changes !== null) await followChanges({ api, live, queryClient }, kind, changes)
      return page
    },
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length < last.numbers.meta.last_page ? pages.length + 1 : undefined),
    enabled: status === 'authenticated',
    refetchInterval: ({ state: { data } }) => {
      const pages = data?.pages ?? []
      if (areTorn(pages)) return Math.ceil(pages.length / PAGES_AT_ONCE) * URGENT_REFRESH_MS
      if (connected && !urgent) return REFRESH_MS
      // Each polling loads all pages, so the number of requests per second stays the same.
      return Math.min(REFRESH_MS, Math.max(1, pages.length) * (urgent ? URGENT_REFRESH_MS : OFFLINE_REFRESH_MS))
    },
    // Polling replaces a missing socket in the background too, because the user enters the number on another site.
    refetchIntervalInBackground: !connected,
    ...(seeded ? { initialData: () => seedList(queryClient, kind.name, seed), ...live.staleness(seed.askedAt) } : {}),
  })
  const kept = useKept<Item[]>(keptKey(kind.name), [])
  const taken = useKept<TicketPlaces>(TICKET_PLACES_KEY, NO_PLACES)
  // Only activations are replaced, so a list of rentals has no replacements. Rentals have a separate range of ids.
  const places = kind.name === 'activation' ? taken : NO_PLACES
  return {
    query,
    tickets: mergeTickets({ kind, filter, pages: query.data?.pages ?? [], kept, places }),
    places,
    total: query.data?.pages[0]?.total_count ?? 0,
  }
}

/** Observes data that exists only in this page's cache, because no API call returns it. */
function useKept<Value>(queryKey: readonly unknown[], initialData: Value): Value {
  const queryClient = useQueryClient()
  const { data } = useQuery<Value>({
    queryKey,
    queryFn: () => queryClient.getQueryData<Value>(queryKey) ?? initialData,
    initialData: () => initialData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return data ?? initialData
}

function isUrgent<Item extends NumberRecord>(
  kind: NumberKind<Item>,
  loaded: NumbersPages<Item> | undefined,
  nowMs: number,
): boolean {
  const records = loaded?.pages.flatMap((page) => page.numbers.data) ?? []
  return records.some(
    (record) => record.state === 'reserving' || (!record.final && secondsUntil(kind.endsAt(record), nowMs) === 0),
  )
}
