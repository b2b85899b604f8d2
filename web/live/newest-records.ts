import type { QueryClient } from '@tanstack/react-query'
import type { PreorderRecord } from '#contract/preorder.ts'
import type { NumberRecord, NumberRecords } from './numbers-cache.ts'

/** What events and replies bring, by its kind. */
export type NotedRecords = { [Kind in keyof NumberRecords]: NumberRecord } & { preorder: PreorderRecord }
export type NotedKind = keyof NotedRecords

/** Events and replies of the last seconds: more than this many come only where no list could show them either. */
const MAX_RECORDS = 100

/** `count`: how many have come in all. `last`: the last of them, the newest last. */
type Newest<Kind extends NotedKind> = { count: number; last: readonly { record: NotedRecords[Kind]; atMs: number }[] }

const newestKey = (kind: NotedKind) => ['newest-records', kind]

/** An event or a reply brought this record. */
export function noteRecord<Kind extends NotedKind>(
  queryClient: QueryClient,
  kind: Kind,
  record: NotedRecords[Kind],
): void {
  const { count, last } = readNewest(queryClient, kind)
  const queryKey = newestKey(kind)
  // No component reads it: without this the cache would drop it after five minutes, and start to count anew.
  queryClient.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY })
  queryClient.setQueryData<Newest<Kind>>(queryKey, {
    count: count + 1,
    last: [...last, { record, atMs: Date.now() }].slice(-MAX_RECORDS),
  })
}

/** How many have come so far. */
export function countRecords(queryClient: QueryClient, kind: NotedKind): number {
  return readNewest(queryClient, kind).count
}

/** Those that came after so many had, the oldest first. */
export function recordsSince<Kind extends NotedKind>(
  queryClient: QueryClient,
  kind: Kind,
  since: number,
): readonly NotedRecords[Kind][] {
  const { count, last } = readNewest(queryClient, kind)
  return count <= since ? [] : last.slice(-(count - since)).map(({ record }) => record)
}

/** Those that came at `askedAt` (ISO 8601, of this browser's clock) or later, the oldest first. */
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
