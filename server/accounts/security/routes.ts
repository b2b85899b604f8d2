import { z } from 'zod'
import { securitySchema } from '#contract/account.ts'
import { requireSession } from '#server/accounts/sessions/require-session.ts'
import { type Call, defineCall } from '#server/http/call.ts'
import { getSecurity } from './get-security.ts'

export const securityCalls: Call[] = [
  defineCall('GET /api/v1/user/security', {
    auth: 'required',
    scope: 'session',
    input: z.object({}),
    reply: securitySchema,
    handle: (ctx, caller) => getSecurity(ctx, requireSession(caller).userId),
  }),
]
