import { z } from 'zod'
import {
  twoFactorCodeInputSchema as codeInputSchema,
  doneSchema,
  recoveryCodesSchema,
  twoFactorSetupSchema,
} from '#contract/account.ts'
import { doneBySession } from '#server/core/accounts/sessions/done-by-session.ts'
import { requireSession } from '#server/core/accounts/sessions/require-session.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { confirmTwoFactor, disableTwoFactor, renewRecoveryCodes, setUpTwoFactor } from './set-up.ts'

export const twoFactorCalls: Call[] = [
  defineCall('POST /api/v1/user/two-factor', {
    auth: 'required',
    scope: 'session',
    input: z.object({}),
    reply: twoFactorSetupSchema,
    async handle(ctx, caller) {
      return { status: true as const, ...(await setUpTwoFactor(ctx, requireSession(caller))) }
    },
  }),
  defineCall('POST /api/v1/user/two-factor/confirm', {
    auth: 'required',
    scope: 'session',
    input: codeInputSchema,
    reply: recoveryCodesSchema,
    async handle(ctx, caller, { code }) {
      return {
        status: true as const,
        recovery_codes: await confirmTwoFactor(ctx, requireSession(caller), { code, address: caller.address }),
      }
    },
  }),
  defineCall('POST /api/v1/user/two-factor/disable', {
    auth: 'required',
    scope: 'session',
    input: codeInputSchema,
    reply: doneSchema,
    handle: doneBySession(disableTwoFactor),
  }),
  defineCall('POST /api/v1/user/two-factor/recovery-codes', {
    auth: 'required',
    scope: 'session',
    input: codeInputSchema,
    reply: recoveryCodesSchema,
    async handle(ctx, caller, { code }) {
      return {
        status: true as const,
        recovery_codes: await renewRecoveryCodes(ctx, requireSession(caller), { code, address: caller.address }),
      }
    },
  }),
]
