import type { Query, QueryClient } from '@tanstack/react-query'

type Asked = { queryKey?: readonly unknown[]; predicate?: (query: Query) => boolean }

/** TanStack Query drops a stale reply under way on invalidation, except a query's first one: that is cancelled here. */
export async function askAgain(queryClient: QueryClient, asked: Asked = {}): Promise<void> {
  const { predicate = () => true } = asked
  const isFirst = (query: Query) => query.state.data === undefined && predicate(query)
  await Promise.all([
    // Invalidated before the first await: components that mount meanwhile refetch, too.
    queryClient.invalidateQueries({ ...asked, refetchType: 'none' }),
    queryClient.cancelQueries({ ...asked, predicate: isFirst }),
  ])
  await queryClient.invalidateQueries(asked)
}
