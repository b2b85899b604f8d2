import {
  changePasswordInputSchema,
  doneSchema,
  forgotPasswordInputSchema,
  resetPasswordInputSchema,
} from '#contract/account.ts'
import { requireSession } from '#server/features/sessions/require-session.ts'
import { type Call, defineCall } from '#server/http/call.ts'
import { changePassword } from './change-password.ts'
import { forgotPassword } from './forgot-password.ts'
import { resetPassword } from './reset-password.ts'

export const passwordCalls: Call[] = [
  defineCall('POST /api/forgot-password', {
    auth: 'none',
    input: forgotPasswordInputSchema,
    reply: doneSchema,
    async handle(ctx, caller, input) {
      await forgotPassword(ctx, caller, input)
      return { status: true }
    },
  }),
  defineCall('POST /api/reset-password', {
    auth: 'none',
    input: resetPasswordInputSchema,
    reply: doneSchema,
    async handle(ctx, caller, input) {
      await resetPassword(ctx, caller, input)
      return { status: true }
    },
  }),
  defineCall('POST /api/v1/user/password', {
    auth: 'required',
    input: changePasswordInputSchema,
    reply: doneSchema,
    async handle(ctx, caller, input) {
      await changePassword(ctx, requireSession(caller), { ...input, address: caller.address })
      return { status: true }
    },
  }),
]
