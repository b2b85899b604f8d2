import type { Query, QueryClient } from '@tanstack/react-query'

type Asked = { queryKey?: readonly unknown[]; predicate?: (query: Query) => boolean }

/** Refetches queries. Invalidation drops a pending stale reply, except a query's first, which is cancelled here. */
export async function refetch(queryClient: QueryClient, asked: Asked = {}): Promise<void> {
  const { predicate = () => true } = asked
  const isFirst = (query: Query) => query.state.data === undefined && predicate(query)
  await Promise.all([
    // The queries are invalidated before the first await, so components that mount in the meantime refetch, too.
    queryClient.invalidateQueries({ ...asked, refetchType: 'none' }),
    queryClient.cancelQueries({ ...asked, predicate: isFirst }),
  ])
  await queryClient.invalidateQueries(asked)
}
