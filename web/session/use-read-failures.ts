import type { Query } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useFailure } from './use-failure.ts'

/** Queries that fail silently: the settings (specification 8), and the poll of the user, which no user requested. */
const SILENT = new Set<unknown>(['settings', 'user'])

/**
 * Shows an alert if a part of the open page cannot be loaded (specification 8). The part itself shows the failure, too.
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
      // A query without an observer belongs to a preload or to a part that has gone, so its failure is not shown.
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
