import { changeEmailInputSchema, doneSchema, resendInputSchema, verifyEmailInputSchema } from '#contract/account.ts'
import { requireSession } from '#server/features/sessions/require-session.ts'
import { type Call, defineCall } from '#server/http/call.ts'
import { changeEmail, resendEmailCode } from './change-email.ts'
import { linkEmail } from './link-email.ts'

export const emailCalls: Call[] = [
  defineCall('POST /api/v1/user/email', {
    auth: 'required',
    input: changeEmailInputSchema,
    reply: doneSchema,
    async handle(ctx, caller, input) {
      await changeEmail(ctx, requireSession(caller), { ...input, address: caller.address })
      return { status: true }
    },
  }),
  defineCall('POST /api/user/resend-verify-email', {
    auth: 'required',
    input: resendInputSchema,
    reply: doneSchema,
    async handle(ctx, caller, input) {
      await resendEmailCode(ctx, requireSession(caller), { ...input, address: caller.address })
      return { status: true }
    },
  }),
  defineCall('POST /api/user/verify-link-email', {
    auth: 'required',
    input: verifyEmailInputSchema,
    reply: doneSchema,
    async handle(ctx, caller, input) {
      await linkEmail(ctx, requireSession(caller), { ...input, address: caller.address })
      return { status: true }
    },
  }),
]
