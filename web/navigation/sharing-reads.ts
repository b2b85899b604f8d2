import type { QueryClient } from '@tanstack/react-query'
import type { Api, Calls } from '#contract/calls/calls.ts'

/**
 * The calls of a page's loader. What a list on the page asks for meanwhile is not asked a second time: after a sign-in
 * lists and loader want the same. Lists are remembered by their call and its input.
 */
export function sharingReads(api: Api, queryClient: QueryClient): Api {
  const begunAt = Date.now()
  return (key, input, options) => {
    const ask = () => api(key, input, options)
    const query = queryClient.getQueryCache().find<Calls[typeof key]['reply']>({ queryKey: [key, input] })
    const isNew = query !== undefined && query.state.dataUpdatedAt >= begunAt && !query.state.isInvalidated
    const shared = isNew || query?.state.fetchStatus === 'fetching' ? query.promise : undefined
    // A list that is left meanwhile gives up; the loader does not.
    return shared?.catch(ask) ?? ask()
  }
}
