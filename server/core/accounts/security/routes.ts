import { account } from '#contract/calls/account-calls.ts'
import { notifications } from '#contract/calls/notification-calls.ts'
import { requireSession } from '#server/core/accounts/sessions/require-session.ts'
import { getNotificationSettings } from '#server/core/notifications/change-settings.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { changeNotifications } from './change-notifications.ts'
import { getSecurity } from './get-security.ts'

export const securityCalls: Call[] = [
  route(account.security, (ctx, caller) => getSecurity(ctx, requireSession(caller).userId)),
  route(notifications.changeSettings, async (ctx, caller, input) => {
    await changeNotifications(ctx, requireSession(caller), input)
    return getNotificationSettings(ctx, caller.member.userId)
  }),
]
