import {
  doneSchema,
  registerInputSchema,
  registerReplySchema,
  resendInputSchema,
  tokenReplySchema,
  verifyEmailInputSchema,
} from '#contract/account.ts'
import { type Call, defineCall } from '#server/http/call.ts'
import { done } from '#server/http/done.ts'
import { register } from './register.ts'
import { resendCode } from './resend-code.ts'
import { verifyEmail } from './verify-email.ts'

export const registrationCalls: Call[] = [
  defineCall('POST /api/register', {
    auth: 'none',
    input: registerInputSchema,
    reply: registerReplySchema,
    async handle(ctx, caller, input) {
      await register(ctx, caller, input)
      return { status: true, action: 'verify-email' }
    },
  }),
  defineCall('POST /api/verify-email', {
    auth: 'none',
    input: verifyEmailInputSchema,
    reply: tokenReplySchema,
    handle: verifyEmail,
  }),
  defineCall('POST /api/resend-verify-email', {
    auth: 'none',
    input: resendInputSchema,
    reply: doneSchema,
    handle: done(resendCode),
  }),
]
