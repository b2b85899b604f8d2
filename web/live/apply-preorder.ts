import type { QueryClient } from '@tanstack/react-query'
import type { PreorderRecord, PreordersReply } from '#contract/preorder.ts'
import { countRecords, noteRecord, recordsAfter, recordsSince } from './newest-records.ts'

export const PREORDERS_KEY = ['preorders']

export function applyPreorderToCache(queryClient: QueryClient, record: PreorderRecord): void {
  noteRecord(queryClient, 'preorder', record)
  const shown = queryClient.getQueryData<PreordersReply>(PREORDERS_KEY)
  if (shown === undefined) return
  const data = withPreorder(queryClient, shown.data, record)
  if (data !== shown.data) queryClient.setQueryData<PreordersReply>(PREORDERS_KEY, { ...shown, data })
}

/** Loads pre-orders. Records that arrived during the request are merged in, because the reply may be older. */
export async function loadPreorders(
  queryClient: QueryClient,
  ask: () => Promise<PreordersReply>,
): Promise<PreordersReply> {
  const before = countRecords(queryClient, 'preorder')
  const reply = await ask()
  const news = recordsSince(queryClient, 'preorder', before)
  return withNews(queryClient, reply, news)
}

/** `askedAt` is the time of the request in ISO 8601. */
export type PreordersSeed = PreordersReply & { askedAt: string }

export function seedPreorders(queryClient: QueryClient, { askedAt, ...reply }: PreordersSeed): PreordersReply {
  return withNews(queryClient, reply, recordsAfter(queryClient, 'preorder', askedAt))
}

function withNews(queryClient: QueryClient, reply: PreordersReply, news: readonly PreorderRecord[]): PreordersReply {
  return { ...reply, data: news.reduce((open, record) => withPreorder(queryClient, open, record), reply.data) }
}

/** Returns the list, newest first. An ended pre-order stays ended, even if an older record arrives later. */
function withPreorder(queryClient: QueryClient, open: PreorderRecord[], record: PreorderRecord): PreorderRecord[] {
  const { id } = record
  if (record.final) return open.filter((shown) => shown.id !== id)
  if (recordsSince(queryClient, 'preorder', 0).some((one) => one.final && one.id === id)) return open
  if (open.some((shown) => shown.id === id)) return open.map((shown) => (shown.id === id ? record : shown))
  return [record, ...open]
}
