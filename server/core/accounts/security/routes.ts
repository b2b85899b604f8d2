import { z } from 'zod'
import { securitySchema } from '#contract/account.ts'
import { notificationSettingsInputSchema, notificationSettingsSchema } from '#contract/notifications/notification.ts'
import { requireSession } from '#server/core/accounts/sessions/require-session.ts'
import { getNotificationSettings } from '#server/core/notifications/change-settings.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { changeNotifications } from './change-notifications.ts'
import { getSecurity } from './get-security.ts'

export const securityCalls: Call[] = [
  defineCall('GET /api/v1/user/security', {
    auth: 'required',
    scope: 'session',
    input: z.object({}),
    reply: securitySchema,
    handle: (ctx, caller) => getSecurity(ctx, requireSession(caller).userId),
  }),
  defineCall('PATCH /api/v1/notifications/settings', {
    auth: 'required',
    scope: 'session',
    input: notificationSettingsInputSchema,
    reply: notificationSettingsSchema,
    async handle(ctx, caller, input) {
      await changeNotifications(ctx, requireSession(caller), input)
      return getNotificationSettings(ctx, caller.member.userId)
    },
  }),
]
