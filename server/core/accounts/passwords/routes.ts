import {
  changePasswordInputSchema,
  doneSchema,
  forgotPasswordInputSchema,
  resetPasswordInputSchema,
  resetReplySchema,
} from '#contract/account.ts'
import { requireSession } from '#server/core/accounts/sessions/require-session.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { changePassword } from './change-password.ts'
import { newPasswordErrors } from './check-new-password.ts'
import { forgotPassword } from './forgot-password.ts'
import { resetPassword } from './reset-password.ts'

export const passwordCalls: Call[] = [
  defineCall('POST /api/forgot-password', {
    auth: 'none',
    input: forgotPasswordInputSchema,
    reply: doneSchema,
    async handle(ctx, caller, input, wire) {
      await forgotPassword(ctx, caller, input, wire)
      return { status: true }
    },
  }),
  defineCall('POST /api/reset-password', {
    auth: 'none',
    input: resetPasswordInputSchema,
    alsoWrong: newPasswordErrors,
    reply: resetReplySchema,
    async handle(ctx, caller, input) {
      return { status: true, ...(await resetPassword(ctx, caller, input)) }
    },
  }),
  defineCall('POST /api/v1/user/password', {
    auth: 'required',
    scope: 'session',
    input: changePasswordInputSchema,
    alsoWrong: newPasswordErrors,
    reply: resetReplySchema,
    async handle(ctx, caller, input) {
      const { address } = caller
      return { status: true, ...(await changePassword(ctx, requireSession(caller), { ...input, address })) }
    },
  }),
]
