import type { QueryClient } from '@tanstack/react-query'
import type { NumberKindName, NumberRecord } from './numbers-shelf.ts'

/** Events and replies of the last seconds: more than this many come only where no list could show them either. */
const MAX_RECORDS = 100

/** `count`: how many have come in all. `records`: the last of them, the newest last. */
type Newest = { count: number; records: readonly NumberRecord[] }

const NONE: Newest = { count: 0, records: [] }
const newestKey = (kind: NumberKindName) => ['newest-records', kind]

/** An event or a reply brought this record. */
export function noteRecord(queryClient: QueryClient, kind: NumberKindName, record: NumberRecord): void {
  const { count, records } = readNewest(queryClient, kind)
  const newest = { count: count + 1, records: [...records, record].slice(-MAX_RECORDS) }
  queryClient.setQueryData<Newest>(newestKey(kind), newest)
}

/** How many have come so far. */
export function countRecords(queryClient: QueryClient, kind: NumberKindName): number {
  return readNewest(queryClient, kind).count
}

/** Those that came after so many had, the oldest first. */
export function recordsSince(queryClient: QueryClient, kind: NumberKindName, since: number): readonly NumberRecord[] {
  const { count, records } = readNewest(queryClient, kind)
  return count <= since ? [] : records.slice(-(count - since))
}

function readNewest(queryClient: QueryClient, kind: NumberKindName): Newest {
  return queryClient.getQueryData<Newest>(newestKey(kind)) ?? NONE
}
