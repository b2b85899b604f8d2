import type { QueryClient } from '@tanstack/react-query'
import type { PreorderRecord, PreordersReply } from '#contract/preorder.ts'

export const PREORDERS_KEY = ['preorders']
/** Those that ended while the page is open: a list asked for before the end must not bring them back. */
export const ENDED_PREORDERS_KEY = ['ended-preorders']

/** A reply or a live event puts a pre-order where it belongs: an open one into the list, an ended one out of it. */
export function applyPreorderToCache(queryClient: QueryClient, record: PreorderRecord): void {
  const shown = queryClient.getQueryData<PreordersReply>(PREORDERS_KEY)
  const ended = queryClient.getQueryData<PreorderRecord[]>(ENDED_PREORDERS_KEY) ?? []
  if (record.final) queryClient.setQueryData(ENDED_PREORDERS_KEY, [record, ...withoutId(ended, record.id)])
  if (shown === undefined) return
  const data = withPreorder(shown.data, record, ended)
  if (data !== shown.data) queryClient.setQueryData<PreordersReply>(PREORDERS_KEY, { ...shown, data })
}

/** The open pre-orders after `record` came, newest first. What has ended stays ended, whatever comes late. */
export function withPreorder(
  open: PreorderRecord[],
  record: PreorderRecord,
  ended: readonly PreorderRecord[],
): PreorderRecord[] {
  if (record.final) return withoutId(open, record.id)
  if (ended.some(({ id }) => id === record.id)) return open
  if (open.some(({ id }) => id === record.id)) return open.map((shown) => (shown.id === record.id ? record : shown))
  return [record, ...open]
}

function withoutId(records: readonly PreorderRecord[], id: number): PreorderRecord[] {
  return records.filter((record) => record.id !== id)
}
