import { account } from '#contract/calls/account-calls.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { beginGuest } from './begin-guest.ts'
import { register, registerErrors } from './register.ts'
import { resendCode } from './resend-code.ts'
import { verifyEmail } from './verify-email.ts'

export const registrationCalls: Call[] = [
  route(account.guest, (ctx, caller, _input, wire) => beginGuest(ctx, caller, wire)),
  route(
    account.register,
    async (ctx, caller, input, wire) => {
      await register(ctx, caller, input, wire)
      return { status: true, action: 'verify-email' }
    },
    { alsoWrong: registerErrors },
  ),
  route(account.verifyRegistration, verifyEmail),
  route(account.resendRegistration, async (ctx, caller, input, wire) => {
    await resendCode(ctx, caller, input, wire)
    return { status: true }
  }),
]
