import { doneSchema } from '#contract/account.ts'
import {
  notificationSettingsInputSchema,
  notificationSettingsSchema,
  notificationsFilterSchema,
  notificationsReplySchema,
  pushInputSchema,
  pushReplySchema,
  readAllSchema,
  readLinkSchema,
  readNotificationSchema,
  unreadReplySchema,
} from '#contract/notifications/notification.ts'
import { type DeclaredCalls, nothing, SESSION } from './call.ts'

export const notifications = {
  list: {
    key: 'GET /api/v1/notifications',
    who: SESSION,
    input: notificationsFilterSchema,
    reply: notificationsReplySchema,
  },
  read: {
    key: 'POST /api/v1/notifications/{id}/read',
    who: SESSION,
    input: readNotificationSchema,
    reply: unreadReplySchema,
  },
  readAll: { key: 'POST /api/v1/notifications/read', who: SESSION, input: readAllSchema, reply: unreadReplySchema },
  readLink: {
    key: 'POST /api/v1/notifications/read-link',
    who: SESSION,
    input: readLinkSchema,
    reply: unreadReplySchema,
  },
  settings: {
    key: 'GET /api/v1/notifications/settings',
    who: SESSION,
    input: nothing,
    reply: notificationSettingsSchema,
  },
  changeSettings: {
    key: 'PATCH /api/v1/notifications/settings',
    who: SESSION,
    input: notificationSettingsInputSchema,
    reply: notificationSettingsSchema,
  },
} as const satisfies DeclaredCalls

export const push = {
  list: { key: 'GET /api/v1/push', who: SESSION, input: nothing, reply: pushReplySchema },
  subscribe: { key: 'POST /api/v1/push/subscriptions', who: SESSION, input: pushInputSchema, reply: pushReplySchema },
  unsubscribe: {
    key: 'DELETE /api/v1/push/subscriptions/{id}',
    who: SESSION,
    input: readNotificationSchema,
    reply: doneSchema,
  },
} as const satisfies DeclaredCalls
