import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { MAX_PAGE_SIZE } from '#contract/constants.ts'
import type { MovementsReply, StatementFilter, StatementReply } from '#contract/past/history.ts'
import { useApi, useSession } from '#web/house/app-context.ts'

/** The sums and lines of a statement belong together, so neither is refetched alone. */
const STEADY = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false } as const

export function useStatement(input: StatementFilter | null) {
  const api = useApi()
  const { signedIn } = useSession()
  return useQuery<StatementReply>({
    ...STEADY,
    queryKey: ['statement', input],
    queryFn: ({ signal }) => api('GET /api/v1/statement', input ?? {}, { signal }),
    enabled: signedIn && input !== null,
  })
}

export function useStatementLines(input: StatementFilter | null) {
  const api = useApi()
  const { signedIn } = useSession()
  return useInfiniteQuery({
    ...STEADY,
    queryKey: ['statement-lines', input],
    queryFn: ({ pageParam, signal }): Promise<MovementsReply> =>
      api(
        'GET /api/v1/movements',
        { ...input, per_page: MAX_PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ movements }) => movements.meta.next_cursor,
    enabled: signedIn && input !== null,
  })
}
