import { expect, test } from 'vitest'
import { cookieName } from './resend-wait.ts'

test.each([
  ['anna@host.test', 'repeat_code_anna@host.test'],
  ['Anna+sms@Host.test', 'repeat_code_anna+sms@host.test'],
  ['a;b=c,d "e@host.test', 'repeat_code_a%3Bb%3Dc%2Cd%20%22e@host.test'],
  [
    'анна@почта.рф',
    `repeat_code_${encodeURIComponent('анна')}@${encodeURIComponent('почта')}.${encodeURIComponent('рф')}`,
  ],
  ['😀@host.test', 'repeat_code_%F0%9F%98%80@host.test'],
])('the pause of %s is kept in %s', (email, name) => {
  expect(cookieName(email)).toBe(name)
})
