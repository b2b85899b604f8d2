import {
  changePasswordInputSchema,
  doneSchema,
  forgotPasswordInputSchema,
  resetPasswordInputSchema,
} from '#contract/account.ts'
import { doneBySession } from '#server/features/sessions/done-by-session.ts'
import { type Call, defineCall } from '#server/http/call.ts'
import { done } from '#server/http/done.ts'
import { changePassword } from './change-password.ts'
import { forgotPassword } from './forgot-password.ts'
import { resetPassword } from './reset-password.ts'

export const passwordCalls: Call[] = [
  defineCall('POST /api/forgot-password', {
    auth: 'none',
    input: forgotPasswordInputSchema,
    reply: doneSchema,
    handle: done(forgotPassword),
  }),
  defineCall('POST /api/reset-password', {
    auth: 'none',
    input: resetPasswordInputSchema,
    reply: doneSchema,
    handle: done(resetPassword),
  }),
  defineCall('POST /api/v1/user/password', {
    auth: 'required',
    input: changePasswordInputSchema,
    reply: doneSchema,
    handle: doneBySession(changePassword),
  }),
]
