import { sandbox } from '#contract/calls/key-calls.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { getPlayAccount, topUpPlayAccount } from './play-account.ts'

export const sandboxCalls: Call[] = [
  route(sandbox.account, async (ctx, { member }) => ({
    status: true as const,
    data: await getPlayAccount(ctx, member),
  })),
  route(sandbox.topUp, async (ctx, { member }) => ({
    status: true as const,
    data: await topUpPlayAccount(ctx, member),
  })),
]
