import { account } from '#contract/calls/account-calls.ts'
import { acknowledge } from '#server/house/http/acknowledge.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { changeUserSettings } from './change-settings.ts'

export const userCalls: Call[] = [
  route(
    account.changeSettings,
    acknowledge((ctx, { member }, input) => changeUserSettings(ctx, member.userId, input)),
  ),
]
