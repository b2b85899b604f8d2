import type { QueryClient } from '@tanstack/react-query'
import { applyRecordToDialog, applyRecordToLists, LIST_KEYS, recordKey } from './apply-to-cache.ts'
import { countRecords, recordsSince } from './newest-records.ts'
import type { NumberKindName } from './numbers-cache.ts'

const KINDS: readonly NumberKindName[] = ['activation', 'rental']

/** Merges in records that arrive while a list or a number is being fetched, because the reply may lack them. */
export function keepNews(queryClient: QueryClient): () => void {
  /** The number of records received before each request, by the hash of the request's query. */
  const countsBefore = new Map<string, number>()
  return queryClient.getQueryCache().subscribe((event) => {
    const { query } = event
    const [name, id] = query.queryKey
    const kind = KINDS.find((one) => name === LIST_KEYS[one] || name === recordKey(one, 0)[0])
    if (kind === undefined) return
    if (event.type === 'removed') countsBefore.delete(query.queryHash)
    if (event.type !== 'updated') return
    const { action } = event
    if (action.type === 'fetch') countsBefore.set(query.queryHash, countRecords(queryClient, kind))
    const since = countsBefore.get(query.queryHash)
    // In the query cache, `manual` marks data that an event or a reply wrote by setQueryData.
    if (action.type !== 'success' || action.manual === true || since === undefined) return
    const isList = name === LIST_KEYS[kind]
    for (const record of recordsSince(queryClient, kind, since)) {
      if (isList) applyRecordToLists(queryClient, kind, record)
      else if (record.id === id) applyRecordToDialog(queryClient, kind, record)
    }
  })
}
