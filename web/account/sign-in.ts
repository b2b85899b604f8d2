import type { Api, Calls } from '#contract/calls/calls.ts'
import { withCaptcha } from './with-captcha.ts'

type SignIn = Calls['POST /api/login']

export function signIn(api: Api, login: SignIn['input']): Promise<SignIn['reply']> {
  return withCaptcha(api, (solved) => api('POST /api/login', { ...login, ...solved }))
}
