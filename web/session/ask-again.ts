import type { Query, QueryClient } from '@tanstack/react-query'

type Asked = { queryKey?: readonly unknown[]; predicate?: (query: Query) => boolean }

/**
 * Asks once more for what these queries show, or for all of them. A reply that is on its way was written before what has
 * just changed. TanStack Query drops such a reply where an earlier one is shown, but waits for a query's very first.
 */
export async function askAgain(queryClient: QueryClient, asked: Asked = {}): Promise<void> {
  const { predicate = () => true } = asked
  const isFirst = (query: Query) => query.state.data === undefined && predicate(query)
  await Promise.all([
    // Marked before anything is awaited: whoever draws one of them meanwhile asks, too.
    queryClient.invalidateQueries({ ...asked, refetchType: 'none' }),
    queryClient.cancelQueries({ ...asked, predicate: isFirst }),
  ])
  await queryClient.invalidateQueries(asked)
}
