import type { QueryClient } from '@tanstack/react-query'
import type { PreorderRecord } from '#contract/preorder.ts'
import type { NumberRecord, NumberRecords } from './numbers-cache.ts'

export type NotedRecords = { [Kind in keyof NumberRecords]: NumberRecord } & { preorder: PreorderRecord }
export type NotedKind = keyof NotedRecords

/** The maximum number of stored records. Fewer records arrive during a request, which takes seconds. */
const MAX_RECORDS = 100

/** `count` is the number of all records received so far. `last` contains the newest records, oldest first. */
type Newest<Kind extends NotedKind> = { count: number; last: readonly { record: NotedRecords[Kind]; atMs: number }[] }

const newestKey = (kind: NotedKind) => ['newest-records', kind]

export function noteRecord<Kind extends NotedKind>(
  queryClient: QueryClient,
  kind: Kind,
  record: NotedRecords[Kind],
): void {
  const { count, last } = readNewest(queryClient, kind)
  const queryKey = newestKey(kind)
  // No component observes this query, so the default gcTime would drop it and reset the count.
  queryClient.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY })
  queryClient.setQueryData<Newest<Kind>>(queryKey, {
    count: count + 1,
    last: [...last, { record, atMs: Date.now() }].slice(-MAX_RECORDS),
  })
}

export function countRecords(queryClient: QueryClient, kind: NotedKind): number {
  return readNewest(queryClient, kind).count
}

/** Returns the live records received after the first `since` records, oldest first. */
export function recordsSince<Kind extends NotedKind>(
  queryClient: QueryClient,
  kind: Kind,
  since: number,
): readonly NotedRecords[Kind][] {
  const { count, last } = readNewest(queryClient, kind)
  return count <= since ? [] : last.slice(-(count - since)).map(({ record }) => record)
}

/** Returns the live records received since `askedAt` (ISO 8601, by this browser's clock), oldest first. */
export function recordsAfter<Kind extends NotedKind>(
  queryClient: QueryClient,
  kind: Kind,
  askedAt: string,
): readonly NotedRecords[Kind][] {
  const { last } = readNewest(queryClient, kind)
  return last.filter(({ atMs }) => atMs >= Date.parse(askedAt)).map(({ record }) => record)
}

function readNewest<Kind extends NotedKind>(queryClient: QueryClient, kind: Kind): Newest<Kind> {
  return queryClient.getQueryData<Newest<Kind>>(newestKey(kind)) ?? { count: 0, last: [] }
}
