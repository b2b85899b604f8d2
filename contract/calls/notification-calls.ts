import type { z } from 'zod'
import type { Done } from '#contract/account.ts'
import type * as notification from '#contract/notifications/notification.ts'

type In<Schema extends z.ZodType> = z.input<Schema>

export type NotificationCalls = {
  'GET /api/v1/notifications': {
    input: notification.NotificationsFilter
    reply: notification.NotificationsReply
  }
  'POST /api/v1/notifications/{id}/read': { input: { id: number }; reply: notification.UnreadReply }
  'POST /api/v1/notifications/read-link': {
    input: In<typeof notification.readLinkSchema>
    reply: notification.UnreadReply
  }
  'GET /api/v1/notifications/settings': { input: object; reply: notification.NotificationSettings }
  'PATCH /api/v1/notifications/settings': {
    input: In<typeof notification.notificationSettingsInputSchema>
    reply: notification.NotificationSettings
  }
  'GET /api/v1/push': { input: object; reply: notification.PushReply }
  'POST /api/v1/push/subscriptions': { input: In<typeof notification.pushInputSchema>; reply: notification.PushReply }
  'DELETE /api/v1/push/subscriptions/{id}': { input: { id: number }; reply: Done }
  'POST /api/v1/notifications/read': { input: In<typeof notification.readAllSchema>; reply: notification.UnreadReply }
}
