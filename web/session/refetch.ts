import type { Query, QueryClient } from '@tanstack/react-query'

type Asked = { queryKey?: readonly unknown[]; predicate?: (query: Query) => boolean }

/**
 * Refetches queries. Invalidation drops a stale reply that is still pending, but not the first reply of a query. A
 * query without data is therefore cancelled before it is refetched.
 */
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
