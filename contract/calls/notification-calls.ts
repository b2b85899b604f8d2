import type { z } from 'zod'
import type * as notification from '#contract/notification.ts'

type In<Schema extends z.ZodType> = z.input<Schema>

export type NotificationCalls = {
  'GET /api/v1/notifications': {
    input: notification.NotificationsFilter
    reply: notification.NotificationsReply
  }
  'POST /api/v1/notifications/{id}/read': { input: { id: number }; reply: notification.UnreadReply }
  'POST /api/v1/notifications/read': { input: In<typeof notification.readAllSchema>; reply: notification.UnreadReply }
}
