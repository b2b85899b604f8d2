import { z } from 'zod'
import { marketingActionInputSchema, marketingActionReplySchema } from '#contract/account.ts'
import { readUtm } from '#server/core/accounts/registration/origin.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { chooseAction } from './choose-action.ts'
import { connect } from './connect.ts'

export const marketingCalls: Call[] = [
  defineCall('GET /api/connect', {
    auth: 'none',
    input: z.object({}),
    reply: z.object({ status: z.literal(true), key: z.string() }),
    handle: async (ctx, _caller, _input, wire) => ({ status: true, key: connect(ctx, wire) }),
  }),
  defineCall('GET /api/marketing-action', {
    auth: 'optional',
    input: marketingActionInputSchema,
    reply: marketingActionReplySchema,
    async handle(ctx, caller, input) {
      const action =
        caller.member === null ? chooseAction(ctx.config.marketingActions, readUtm(input['utm-data'])) : null
      return { status: true, action }
    },
  }),
]
