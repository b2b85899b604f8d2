import { account } from '#contract/calls/account-calls.ts'
import { doneBySession } from '#server/core/accounts/sessions/done-by-session.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { changeEmail, resendEmailCode } from './change-email.ts'
import { linkEmail } from './link-email.ts'

export const emailCalls: Call[] = [
  route(account.changeEmail, doneBySession(changeEmail)),
  route(account.resendEmailCode, doneBySession(resendEmailCode)),
  route(account.verifyEmail, doneBySession(linkEmail)),
]
