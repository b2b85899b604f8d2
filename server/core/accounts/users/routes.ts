import { doneSchema } from '#contract/account.ts'
import { userSettingsInputSchema } from '#contract/settings/user-settings.ts'
import { acknowledge } from '#server/house/http/acknowledge.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { changeUserSettings } from './change-settings.ts'

export const userCalls: Call[] = [
  defineCall('PATCH /api/v1/user/settings', {
    auth: 'required',
    scope: 'session',
    input: userSettingsInputSchema,
    reply: doneSchema,
    handle: acknowledge((ctx, { member }, input) => changeUserSettings(ctx, member.userId, input)),
  }),
]
