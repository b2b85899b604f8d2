import type { QueryClient } from '@tanstack/react-query'
import { applyRecordToLists, LIST_KEYS } from './apply-to-cache.ts'
import { countRecords, recordsSince } from './newest-records.ts'
import type { NumberKindName } from './numbers-cache.ts'

const KINDS = new Map(Object.entries(LIST_KEYS).map(([kind, key]) => [key, kind as NumberKindName]))

/** Records that arrive during a list's request may be missing in the reply: they are merged into it. */
export function keepNews(queryClient: QueryClient): () => void {
  /** Records received before the list's request left, by the hash of its query. */
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
    // `manual` marks data that an event or a reply wrote by setQueryData.
    if (action.type !== 'success' || action.manual === true || since === undefined) return
    for (const record of recordsSince(queryClient, kind, since)) applyRecordToLists(queryClient, kind, record)
  })
}
