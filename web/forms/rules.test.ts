import { expect, test } from 'vitest'
import { checkForm, isEmail, matchWith, maxLength, minLength, type Rule, required } from './rules.ts'

const judge = (rule: Rule, value: string) => rule(value, { password: 'secret word' })

test.each<[string, Rule, string, object | null]>([
  ['nothing', required, '', { key: 'required' }],
  ['only spaces', required, ' \t ', { key: 'required' }],
  ['something', required, ' a ', null],
  ['an address', isEmail, 'anna@host.test', null],
  ['an address in any script', isEmail, 'анна@почта.рф', null],
  ['an address between spaces', isEmail, ' anna@host.test ', null],
  ['no address at all, which is for `required` to say', isEmail, '', null],
  ['no @', isEmail, 'anna', { key: 'invalid_email' }],
  ['no dot', isEmail, 'anna@host', { key: 'invalid_email' }],
  ['a space inside', isEmail, 'an na@host.test', { key: 'invalid_email' }],
  ['too short', minLength(8), '1234567', { key: 'min_length', length: 8 }],
  ['just long enough', minLength(8), '12345678', null],
  ['nothing, which is for `required` to say', minLength(8), '', null],
  ['just short enough', maxLength(8), '12345678', null],
  ['too long', maxLength(8), '123456789', { key: 'max_length', length: 8 }],
  ['the same', matchWith('password'), 'secret word', null],
  ['another', matchWith('password'), 'secret  word', { key: 'password_mismatch' }],
])('%s', (_what, rule, value, expected) => {
  expect(judge(rule, value)).toEqual(expected)
})

test('each field is told the first thing that is wrong with it, in the order of the fields', () => {
  const rules = {
    email: [required, isEmail],
    password: [required, minLength(8)],
    password_confirmation: [required, matchWith('password')],
  }
  const failures = checkForm({ email: 'anna', password: 'short', password_confirmation: ' ' }, rules)
  expect(Object.entries(failures)).toEqual([
    ['email', { key: 'invalid_email' }],
    ['password', { key: 'min_length', length: 8 }],
    ['password_confirmation', { key: 'required' }],
  ])
  const good = { email: 'anna@host.test', password: 'long enough', password_confirmation: 'long enough' }
  expect(checkForm(good, rules)).toEqual({})
})
