import type { Query } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useFailure } from './use-failure.ts'

/** Settings fail silently (specification 8). Nobody pressed for the poll of the user, so that does, too. */
const SILENT = new Set<unknown>(['settings', 'user'])

/**
 * Shows an alert if a part of the open page cannot be read, as for any failed call (specification 8). The part shows
 * the failure, too.
 * The alert appears once until the query succeeds or starts again, because polling would repeat it.
 */
export function useReadFailures(): void {
  const cache = useQueryClient().getQueryCache()
  const fail = useFailure()
  const failing = useRef(new Set<string>())
  useEffect(() => {
    function heed(query: Query): void {
      const { queryHash, queryKey, state } = query
      if (state.status !== 'error') failing.current.delete(queryHash)
      // Without an observer no part of the page needs the query: a preload, or a part that has gone.
      else if (!failing.current.has(queryHash) && query.isActive() && !SILENT.has(queryKey[0])) {
        failing.current.add(queryHash)
        fail(state.error)
      }
    }
    // The hook runs later than the page, so queries may have failed before.
    cache.getAll().forEach(heed)
    return cache.subscribe(({ query }) => heed(query))
  }, [cache, fail])
}
