import { account } from '#contract/calls/account-calls.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { makeCaptcha } from './make-captcha.ts'

export const captchaCalls: Call[] = [route(account.captcha, (ctx) => makeCaptcha(ctx))]
