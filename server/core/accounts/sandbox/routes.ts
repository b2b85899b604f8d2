import { z } from 'zod'
import { sandboxReplySchema } from '#contract/calls/sandbox-calls.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { getPlayAccount, topUpPlayAccount } from './play-account.ts'

export const sandboxCalls: Call[] = [
  defineCall('GET /api/v1/sandbox', {
    auth: 'required',
    scope: 'read',
    sandbox: true,
    input: z.object({}),
    reply: sandboxReplySchema,
    handle: async (ctx, { member }) => ({ status: true as const, data: await getPlayAccount(ctx, member) }),
  }),
  defineCall('POST /api/v1/sandbox/top-up', {
    auth: 'required',
    scope: 'buy',
    sandbox: true,
    input: z.object({}),
    reply: sandboxReplySchema,
    handle: async (ctx, { member }) => ({ status: true as const, data: await topUpPlayAccount(ctx, member) }),
  }),
]
