import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { SupportMessage, TicketReply } from '#contract/support/support.ts'
import { useApi, useSession } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { SUPPORT_KEY } from '#web/live/support-key.ts'
import { useLiveEvent } from '#web/live/use-live-event.ts'
import { refetch } from '#web/session/refetch.ts'

/** Loads a ticket, with its messages page by page from the newest. A message that arrives twice appears once. */
export function useTicket(seed: TicketReply, loadedAt: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  const { signedIn } = useSession()
  const { id } = seed.data
  const older = useInfiniteQuery({
    queryKey: [SUPPORT_KEY, 'ticket', id, loadedAt],
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/v1/support/tickets/{id}', { id, ...(pageParam === null ? {} : { before: pageParam }) }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ data }) => (data.has_older ? (data.messages[0]?.id ?? null) : null),
    enabled: signedIn,
    gcTime: 0,
    initialData: { pages: [seed], pageParams: [null] },
  })
  // A refund is not a message, so the notification about the refund triggers the refetch.
  useLiveEvent(({ name, payload }) => {
    if (name === 'NewUserNotification' && payload.kind === 'refunded') {
      inBackground(refetch(queryClient, { queryKey: [SUPPORT_KEY, 'ticket', id] }))
    }
  })
  const pages = older.data.pages.toReversed().flatMap(({ data }) => data.messages)
  const messages: SupportMessage[] = [...new Map(pages.map((message) => [message.id, message])).values()]
  return { ticket: older.data.pages[0]?.data ?? seed.data, messages, older }
}
