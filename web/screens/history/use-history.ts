import { keepPreviousData, type Query, useInfiniteQuery } from '@tanstack/react-query'
import type { EntriesFilter, EntriesReply } from '#contract/past/entries.ts'
import type { HistoryFilter, HistoryReply } from '#contract/past/history.ts'
import type { PaymentsFilter, PaymentsHistory } from '#contract/payment.ts'
import { useApi, useSession } from '#web/house/app-context.ts'
import { PAYMENTS_KEY } from '#web/live/apply-payment.ts'
import { ENTRIES_KEY, HISTORY_KEY } from './past-events.ts'

/** The seed is the loader's reply, which fits only the list with the same input. */
export type HistorySeed =
  | { view: 'numbers'; input: HistoryFilter; page: HistoryReply }
  | { view: 'money'; input: EntriesFilter; page: EntriesReply }
  | { view: 'payments'; input: PaymentsFilter; page: PaymentsHistory }

/** Returns true for lists of one page. A refetch on focus would request each page of a longer list. */
const isShort = (query: Pick<Query, 'state'>) => {
  // The cast is safe, because TanStack Query stores the pages of an infinite query in this format.
  const data = query.state.data as { pages: unknown[] } | undefined
  return data === undefined || data.pages.length === 1
}

const COMMON = {
  initialPageParam: null as string | null,
  placeholderData: keepPreviousData,
  refetchOnWindowFocus: isShort,
} as const

/** Returns purchases, newest first, 20 per page. `input` is null until the dates of the chosen period are known. */
export function useHistory(input: HistoryFilter | null, seed: HistorySeed | null) {
  const api = useApi()
  const { signedIn } = useSession()
  const seeded = seed?.view === 'numbers' && isSame(seed.input, input)
  return useInfiniteQuery({
    ...COMMON,
    queryKey: [HISTORY_KEY, input],
    queryFn: ({ pageParam, signal }) => api('GET /api/v1/history', { ...input, ...cursorOf(pageParam) }, { signal }),
    getNextPageParam: ({ history }) => history.meta.next_cursor,
    enabled: signedIn && input !== null,
    ...(seeded ? { initialData: { pages: [seed.page], pageParams: [null] } } : {}),
  })
}

export function useEntries(input: EntriesFilter | null, seed: HistorySeed | null) {
  const api = useApi()
  const { signedIn } = useSession()
  const seeded = seed?.view === 'money' && isSame(seed.input, input)
  return useInfiniteQuery({
    ...COMMON,
    queryKey: [ENTRIES_KEY, input],
    queryFn: ({ pageParam, signal }) => api('GET /api/v1/entries', { ...input, ...cursorOf(pageParam) }, { signal }),
    getNextPageParam: ({ entries }) => entries.meta.next_cursor,
    enabled: signedIn && input !== null,
    ...(seeded ? { initialData: { pages: [seed.page], pageParams: [null] } } : {}),
  })
}

/** Returns the user's payments, requested by page number (specification 3). */
export function usePayments(input: PaymentsFilter | null, seed: HistorySeed | null) {
  const api = useApi()
  const { signedIn } = useSession()
  const seeded = seed?.view === 'payments' && isSame(seed.input, input)
  return useInfiniteQuery({
    ...COMMON,
    initialPageParam: 1,
    queryKey: [PAYMENTS_KEY, 'list', input],
    queryFn: ({ pageParam, signal }) => api('GET /api/payments-history', { ...input, page: pageParam }, { signal }),
    getNextPageParam: ({ history }, _pages, page) => (page < history.meta.last_page ? page + 1 : null),
    enabled: signedIn && input !== null,
    ...(seeded ? { initialData: { pages: [seed.page], pageParams: [1] } } : {}),
  })
}

function cursorOf(cursor: string | null): { cursor?: string } {
  return cursor === null ? {} : { cursor }
}

/** Returns true if two inputs are equal. The same function makes both, so their JSON keys have one order. */
function isSame(seeded: object, input: object | null): boolean {
  return JSON.stringify(seeded) === JSON.stringify(input)
}
