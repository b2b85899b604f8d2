import type { Query, QueryClient } from '@tanstack/react-query'

type Asked = { queryKey?: readonly unknown[]; predicate?: (query: Query) => boolean }

/**
 * Invalidation drops a pending stale reply, but not the first reply of a query, so first requests are cancelled here.
 */
export async function askAgain(queryClient: QueryClient, asked: Asked = {}): Promise<void> {
  const { predicate = () => true } = asked
  const isFirst = (query: Query) => query.state.data === undefined && predicate(query)
  await Promise.all([
    // The queries are invalidated before the first await, so components that mount in the meantime refetch, too.
    queryClient.invalidateQueries({ ...asked, refetchType: 'none' }),
    queryClient.cancelQueries({ ...asked, predicate: isFirst }),
  ])
  await queryClient.invalidateQueries(asked)
}
