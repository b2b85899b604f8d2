import type { Api, Calls } from '#contract/calls/calls.ts'
import { withRiddle } from './with-riddle.ts'

type SignIn = Calls['POST /api/login']

export function signIn(api: Api, login: SignIn['input']): Promise<SignIn['reply']> {
  return withRiddle(api, (solved) => api('POST /api/login', { ...login, ...solved }))
}
