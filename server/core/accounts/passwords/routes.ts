import { account } from '#contract/calls/account-calls.ts'
import { requireSession } from '#server/core/accounts/sessions/require-session.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { changePassword } from './change-password.ts'
import { newPasswordErrors } from './check-new-password.ts'
import { forgotPassword } from './forgot-password.ts'
import { resetPassword } from './reset-password.ts'

export const passwordCalls: Call[] = [
  route(account.forgotPassword, async (ctx, caller, input, wire) => {
    await forgotPassword(ctx, caller, input, wire)
    return { status: true }
  }),
  route(
    account.resetPassword,
    async (ctx, caller, input) => {
      return { status: true, ...(await resetPassword(ctx, caller, input)) }
    },
    { alsoWrong: newPasswordErrors },
  ),
  route(
    account.changePassword,
    async (ctx, caller, input) => {
      const { address } = caller
      return { status: true, ...(await changePassword(ctx, requireSession(caller), { ...input, address })) }
    },
    { alsoWrong: newPasswordErrors },
  ),
]
