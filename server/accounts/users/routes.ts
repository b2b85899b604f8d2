import { doneSchema, userSettingsInputSchema } from '#contract/account.ts'
import { acknowledge } from '#server/http/acknowledge.ts'
import { type Call, defineCall } from '#server/http/call.ts'
import { changeSettings } from './queries.ts'

export const userCalls: Call[] = [
  defineCall('PATCH /api/v1/user/settings', {
    auth: 'required',
    scope: 'session',
    input: userSettingsInputSchema,
    reply: doneSchema,
    handle: acknowledge((ctx, { member }, settings) => changeSettings(ctx.db, { userId: member.userId, settings })),
  }),
]
