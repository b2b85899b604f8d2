import { changeEmailInputSchema, doneSchema, resendInputSchema, verifyEmailInputSchema } from '#contract/account.ts'
import { doneBySession } from '#server/core/accounts/sessions/done-by-session.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { changeEmail, resendEmailCode } from './change-email.ts'
import { linkEmail } from './link-email.ts'

export const emailCalls: Call[] = [
  defineCall('POST /api/v1/user/email', {
    auth: 'required',
    scope: 'session',
    input: changeEmailInputSchema,
    reply: doneSchema,
    handle: doneBySession(changeEmail),
  }),
  defineCall('POST /api/user/resend-verify-email', {
    auth: 'required',
    scope: 'session',
    input: resendInputSchema,
    reply: doneSchema,
    handle: doneBySession(resendEmailCode),
  }),
  defineCall('POST /api/user/verify-link-email', {
    auth: 'required',
    scope: 'session',
    input: verifyEmailInputSchema,
    reply: doneSchema,
    handle: doneBySession(linkEmail),
  }),
]
