import { expect, test } from 'vitest'
import { checkLogin } from './login-check.ts'

const words = { required: 'required', invalidEmail: 'invalid' }

test.each([
  ['', '', { email: 'required', password: 'required' }],
  ['  ', '   ', { email: 'required', password: 'required' }],
  ['anna', 'secret', { email: 'invalid' }],
  ['anna@host', 'secret', { email: 'invalid' }],
  ['an na@host.test', 'secret', { email: 'invalid' }],
  [' anna@host.test ', ' s', {}],
  ['анна@почта.рф', 'secret', {}],
])('%j with password %j', (email, password, expected) => {
  expect(checkLogin({ email, password }, words)).toEqual(expected)
})
