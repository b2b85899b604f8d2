import { account } from '#contract/calls/account-calls.ts'
import { doneBySession } from '#server/core/accounts/sessions/done-by-session.ts'
import { requireSession } from '#server/core/accounts/sessions/require-session.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { confirmTwoFactor, disableTwoFactor, renewRecoveryCodes, setUpTwoFactor } from './set-up.ts'

export const twoFactorCalls: Call[] = [
  route(account.setUpTwoFactor, async (ctx, caller) => {
    return { status: true as const, ...(await setUpTwoFactor(ctx, requireSession(caller))) }
  }),
  route(account.confirmTwoFactor, async (ctx, caller, { code }) => {
    return {
      status: true as const,
      recovery_codes: await confirmTwoFactor(ctx, requireSession(caller), { code, address: caller.address }),
    }
  }),
  route(account.disableTwoFactor, doneBySession(disableTwoFactor)),
  route(account.renewRecoveryCodes, async (ctx, caller, { code }) => {
    return {
      status: true as const,
      recovery_codes: await renewRecoveryCodes(ctx, requireSession(caller), { code, address: caller.address }),
    }
  }),
]
