import type { QueryClient } from '@tanstack/react-query'
import type { Api, Calls } from '#contract/calls/calls.ts'

/**
 * Returns an API for loaders. If a list on the page is loading or has just loaded the same data, the loader gets the
 * list's reply. This happens after a sign-in.
 */
export function sharingReads(api: Api, queryClient: QueryClient): Api {
  const begunAt = Date.now()
  return (key, input, options) => {
    const ask = () => api(key, input, options)
    const query = queryClient.getQueryCache().find<Calls[typeof key]['reply']>({ queryKey: [key, input] })
    const isNew = query !== undefined && query.state.dataUpdatedAt >= begunAt && !query.state.isInvalidated
    const shared = isNew || query?.state.fetchStatus === 'fetching' ? query.promise : undefined
    // A list that unmounts aborts its request. The loader must not fail for that reason, so it repeats the call.
    return shared?.catch(ask) ?? ask()
  }
}
