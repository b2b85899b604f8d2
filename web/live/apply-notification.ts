import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { NewUserNotification } from '#contract/live-events.ts'
import type { NotificationCategory, NotificationsReply } from '#contract/notifications/notification.ts'

/** The first part of the query keys of notification lists. The second part is the category; null for all categories. */
export const NOTIFICATIONS_KEY = 'notifications'

export type NotificationPages = InfiniteData<NotificationsReply, number | null>

export function notificationsKey(category: NotificationCategory | null): [string, NotificationCategory | null] {
  return [NOTIFICATIONS_KEY, category]
}

export function applyNotificationToCache(queryClient: QueryClient, payload: NewUserNotification): void {
  const { isSocket: _isSocket, notifications_count: count, ...record } = payload
  for (const category of [null, record.category]) {
    queryClient.setQueryData<NotificationPages>(notificationsKey(category), (data) => {
      const [first, ...older] = data?.pages ?? []
      if (data === undefined || first === undefined) return data
      if (first.notifications.some(({ id }) => id === record.id)) return data
      const notifications = [record, ...first.notifications].toSorted((a, b) => b.id - a.id)
      return { ...data, pages: [{ ...first, notifications, notifications_count: count }, ...older] }
    })
  }
}
