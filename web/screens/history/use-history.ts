import { keepPreviousData, type Query, useInfiniteQuery } from '@tanstack/react-query'
import type { HistoryFilter, HistoryReply, MovementsFilter, MovementsReply } from '#contract/history.ts'
import { useApi, useSession } from '#web/app-context.ts'
import { HISTORY_KEY, MOVEMENTS_KEY } from './past-news.ts'

/** The loader's reply, which seeds only the list of the same input. */
export type HistorySeed =
  | { view: 'numbers'; input: HistoryFilter; page: HistoryReply }
  | { view: 'money'; input: MovementsFilter; page: MovementsReply }

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

export function useMovements(input: MovementsFilter | null, seed: HistorySeed | null) {
  const api = useApi()
  const { signedIn } = useSession()
  const seeded = seed?.view === 'money' && isSame(seed.input, input)
  return useInfiniteQuery({
    ...COMMON,
    queryKey: [MOVEMENTS_KEY, input],
    queryFn: ({ pageParam, signal }) => api('GET /api/v1/movements', { ...input, ...cursorOf(pageParam) }, { signal }),
    getNextPageParam: ({ movements }) => movements.meta.next_cursor,
    enabled: signedIn && input !== null,
    ...(seeded ? { initialData: { pages: [seed.page], pageParams: [null] } } : {}),
  })
}

function cursorOf(cursor: string | null): { cursor?: string } {
  return cursor === null ? {} : { cursor }
}

/** One function makes both inputs, so their keys have the same order. */
function isSame(seeded: object, input: object | null): boolean {
  return JSON.stringify(seeded) === JSON.stringify(input)
}
