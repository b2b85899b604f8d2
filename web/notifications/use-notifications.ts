import { type QueryClient, useInfiniteQuery } from '@tanstack/react-query'
import type { NotificationCategory, NotificationRecord, UnreadReply } from '#contract/notifications/notification.ts'
import type { User } from '#contract/user.ts'
import { useApi, useAppContext, useSession } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { NOTIFICATIONS_KEY, type NotificationPages, notificationsKey } from '#web/live/apply-notification.ts'
import { refetch } from '#web/session/refetch.ts'
import { useFailure } from '#web/session/use-failure.ts'

export function useNotifications(category: NotificationCategory | null) {
  const api = useApi()
  const { signedIn } = useSession()
  return useInfiniteQuery({
    queryKey: notificationsKey(category),
    queryFn: ({ pageParam, signal }) => {
      const filter = { ...(category !== null && { category }), ...(pageParam !== null && { before: pageParam }) }
      return api('GET /api/v1/notifications', filter, { signal })
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    enabled: signedIn,
    refetchOnWindowFocus: false,
  })
}

export function useReading() {
  const { api, queryClient, tabs } = useAppContext()
  const fail = useFailure()

  async function carryOut(isRead: (record: NotificationRecord) => boolean, call: () => Promise<UnreadReply>) {
    markRead(queryClient, isRead)
    try {
      // A pending reply would restore the earlier unread count.
      await queryClient.cancelQueries({ queryKey: ['user'] })
      const { notifications_count: count } = await call()
      const user = queryClient.setQueryData<User>(
        ['user'],
        (shown) => shown && { ...shown, notifications_count: count },
      )
      if (user !== undefined) tabs.tell({ kind: 'user', user })
    } catch (error) {
      fail(error)
      await refetch(queryClient, { queryKey: [NOTIFICATIONS_KEY] })
    }
  }

  /** Marks notifications as read without the user's action, so a failure shows no alert and causes a refetch. */
  async function carryOutUnasked(link: string) {
    markRead(queryClient, (record) => record.link === link)
    const isDone = await api('POST /api/v1/notifications/read-link', { link }).then(
      () => true,
      () => false,
    )
    if (!isDone) await refetch(queryClient, { queryKey: [NOTIFICATIONS_KEY] })
    await refetch(queryClient, { queryKey: ['user'] })
    const state = queryClient.getQueryState<User>(['user'])
    // If the refetch failed, the cached user is older than the payment and must not reach the other tabs.
    if (state?.data !== undefined && !state.isInvalidated) tabs.tell({ kind: 'user', user: state.data })
  }

  return {
    read: ({ id }: NotificationRecord) =>
      inBackground(
        carryOut(
          (record) => record.id === id,
          () => api('POST /api/v1/notifications/{id}/read', { id }),
        ),
      ),
    /** `hasArrived` is true if the notification is counted as unread. */
    readLink: (link: string, { hasArrived }: { hasArrived: boolean }) => {
      if (hasArrived) queryClient.setQueryData<User>(['user'], oneLess)
      inBackground(carryOutUnasked(link))
    },
    readAll: (input: { category: NotificationCategory | null; upTo: number }) =>
      inBackground(
        carryOut(
          ({ id, category }) => id <= input.upTo && (input.category === null || category === input.category),
          () =>
            api('POST /api/v1/notifications/read', {
              up_to: input.upTo,
              ...(input.category !== null && { category: input.category }),
            }),
        ),
      ),
  }
}

function oneLess(user: User | undefined): User | undefined {
  return user && { ...user, notifications_count: Math.max(0, user.notifications_count - 1) }
}

function markRead(queryClient: QueryClient, isRead: (record: NotificationRecord) => boolean): void {
  queryClient.setQueriesData<NotificationPages>({ queryKey: [NOTIFICATIONS_KEY] }, (data) => {
    if (data === undefined) return data
    const pages = data.pages.map((page) => ({
      ...page,
      notifications: page.notifications.map((record) => (isRead(record) ? { ...record, read: true } : record)),
    }))
    return { ...data, pages }
  })
}
