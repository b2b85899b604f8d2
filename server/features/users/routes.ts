import { doneSchema, userSettingsInputSchema } from '#contract/account.ts'
import { type Call, defineCall } from '#server/http/call.ts'
import { changeSettings } from './queries.ts'

export const userCalls: Call[] = [
  defineCall('PATCH /api/v1/user/settings', {
    auth: 'required',
    input: userSettingsInputSchema,
    reply: doneSchema,
    async handle(ctx, caller, input) {
      await changeSettings(ctx.db, { userId: caller.member.userId, settings: input })
      return { status: true }
    },
  }),
]
