import type { QueryClient } from '@tanstack/react-query'
import { applyRecordToLists, LIST_KEYS } from './apply-to-cache.ts'
import { countRecords, recordsSince } from './newest-records.ts'
import type { NumberKindName } from './numbers-cache.ts'

const KINDS = new Map(Object.entries(LIST_KEYS).map(([kind, key]) => [key, kind as NumberKindName]))

/**
 * A list is asked for, a code comes, and then the reply that was written before it: what came meanwhile is put into the list
 * again, before anybody sees it without. Returns the way to stop.
 */
export function keepNews(queryClient: QueryClient): () => void {
  /** How many records had come when the request of a list left, by the hash of its key. */
  const countsBefore = new Map<string, number>()
  return queryClient.getQueryCache().subscribe((event) => {
    const { query } = event
    const kind = KINDS.get(String(query.queryKey[0]))
    if (kind === undefined) return
    if (event.type === 'removed') countsBefore.delete(query.queryHash)
    if (event.type !== 'updated') return
    const { action } = event
    if (action.type === 'fetch') countsBefore.set(query.queryHash, countRecords(queryClient, kind))
    const since = countsBefore.get(query.queryHash)
    // A manual success is what an event or a reply wrote itself.
    if (action.type !== 'success' || action.manual === true || since === undefined) return
    for (const record of recordsSince(queryClient, kind, since)) applyRecordToLists(queryClient, kind, record)
  })
}
