import { account } from '#contract/calls/account-calls.ts'
import { readUtm } from '#server/core/accounts/registration/origin.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { chooseAction } from './choose-action.ts'
import { connect } from './connect.ts'

export const marketingCalls: Call[] = [
  route(account.connect, async (ctx, _caller, _input, wire) => ({ status: true, key: connect(ctx, wire) })),
  route(account.marketingAction, async (ctx, caller, input) => {
    const action = caller.member === null ? chooseAction(ctx.config.marketingActions, readUtm(input['utm-data'])) : null
    return { status: true, action }
  }),
]
