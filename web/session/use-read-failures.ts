import type { Query } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useFailure } from './use-failure.ts'

/**
 * Settings fail silently (specification 8). The user is asked for each minute by nobody, and a failure there says
 * nothing about the session.
 */
const SILENT = new Set<unknown>(['settings', 'user'])

/**
 * A part of the open page that cannot be read is told as any failed call (specification 8); the part says so in its
 * place, too. Once until it succeeds or begins anew: what is polled would repeat itself.
 */
export function useReadFailures(): void {
  const cache = useQueryClient().getQueryCache()
  const fail = useFailure()
  const failing = useRef(new Set<string>())
  useEffect(() => {
    function heed(query: Query): void {
      const { queryHash, queryKey, state } = query
      if (state.status !== 'error') failing.current.delete(queryHash)
      // Without an observer nothing on the page lacks it: a preload, or a part that has gone.
      else if (!failing.current.has(queryHash) && query.isActive() && !SILENT.has(queryKey[0])) {
        failing.current.add(queryHash)
        fail(state.error)
      }
    }
    // This runs later than the page: something may have failed before.
    cache.getAll().forEach(heed)
    return cache.subscribe(({ query }) => heed(query))
  }, [cache, fail])
}
