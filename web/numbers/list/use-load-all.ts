import { useEffect, useEffectEvent } from 'react'
import { inBackground } from '#web/house/in-background.ts'

type PagedQuery = {
  data: { pages: readonly unknown[] } | undefined
  hasNextPage: boolean
  isFetching: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => Promise<unknown>
}

/** Loads page after page, because groups, counts and actions on all rows need every number. Stops at a failure. */
export function useLoadAll(query: PagedQuery, isWanted: boolean): void {
  const waits = isWanted && query.hasNextPage && !query.isFetching && !query.isFetchNextPageError
  const count = query.data?.pages.length ?? 0
  const loadMore = useEffectEvent(() => inBackground(query.fetchNextPage()))
  useEffect(() => {
    // A fast reply is rendered together with its request, so only the number of pages tells of it.
    if (waits && count > 0) loadMore()
  }, [waits, count])
}
