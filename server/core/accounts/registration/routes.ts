import {
  doneSchema,
  registerInputSchema,
  registerReplySchema,
  resendInputSchema,
  tokenReplySchema,
  verifyRegistrationInputSchema,
} from '#contract/account.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { register, registerErrors } from './register.ts'
import { resendCode } from './resend-code.ts'
import { verifyEmail } from './verify-email.ts'

export const registrationCalls: Call[] = [
  defineCall('POST /api/register', {
    auth: 'none',
    input: registerInputSchema,
    reply: registerReplySchema,
    alsoWrong: registerErrors,
    async handle(ctx, caller, input, wire) {
      await register(ctx, caller, input, wire)
      return { status: true, action: 'verify-email' }
    },
  }),
  defineCall('POST /api/verify-email', {
    auth: 'none',
    input: verifyRegistrationInputSchema,
    reply: tokenReplySchema,
    handle: verifyEmail,
  }),
  defineCall('POST /api/resend-verify-email', {
    auth: 'none',
    input: resendInputSchema,
    reply: doneSchema,
    async handle(ctx, caller, input, wire) {
      await resendCode(ctx, caller, input, wire)
      return { status: true }
    },
  }),
]
