import { keepPreviousData, type Query, useInfiniteQuery } from '@tanstack/react-query'
import type { EntriesFilter, EntriesReply } from '#contract/past/entries.ts'
import type { HistoryFilter, HistoryReply } from '#contract/past/history.ts'
import type { PaymentsFilter, PaymentsHistory } from '#contract/payment.ts'
import { useApi, useSession } from '#web/house/app-context.ts'
import { PAYMENTS_KEY } from '#web/live/apply-payment.ts'
import { ENTRIES_KEY, HISTORY_KEY } from './past-news.ts'

/** The loader's reply, which seeds only the list of the same input. */
export type HistorySeed =
  | { view: 'numbers'; input: HistoryFilter; page: HistoryReply }
  | { view: 'money'; input: EntriesFilter; page: EntriesReply }
  | { view: 'payments'; input: PaymentsFilter; page: PaymentsHistory }

/** Long lists are not refetched on focus, because that would request each of their pages. */
const isShort = (query: Pick<Query, 'state'>) => {
  // TanStack Query stores the pages of an infinite query in this shape.
  const data = query.state.data as { pages: unknown[] } | undefined
  return data === undefined || data.pages.length === 1
}

const COMMON = {
  // null requests the first page.
  initialPageParam: null as string | null,
  placeholderData: keepPreviousData,
  refetchOnWindowFocus: isShort,
} as const

/** Newest first, 20 a page. `input` is null while the reader's days are unknown. */
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

/** Money, one row a purchase. */
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

/** By pages, as the specification has them; 0 is none. */
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

/** One function makes both inputs, so their keys have the same order. */
function isSame(seeded: object, input: object | null): boolean {
  return JSON.stringify(seeded) === JSON.stringify(input)
}
