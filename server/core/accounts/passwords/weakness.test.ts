import { expect, test } from 'vitest'
import { weaknessOf } from './weakness.ts'

const reason = (password: string, email: string | null = 'k@example.test') => weaknessOf(password, email)?.en ?? null

const SHORT = 'Enter at least 8 characters'
const ROW = 'Repeated characters and keyboard rows are easy to guess. Choose another password.'
const COMMON = 'This password is too common. Choose another one.'
const NAME = 'Your password can’t contain the name in your e-mail address'
const SITE = 'Your password can’t contain the name of this site'

test.each([
  ['1234567', SHORT],
  ['😀😀😀😀😀😀😀', SHORT],
  ['aaaaaaaa', ROW],
  ['abababab', ROW],
  ['abc1abc1abc1', ROW],
  ['12345678', ROW],
  ['987654321', ROW],
  ['qwerty123', ROW],
  ['QWERTYUIOP', ROW],
  ['1qaz2wsx', ROW],
  ['asdfghjkl1', ROW],
  ['йцукен12', ROW],
  ['йцукенгш', ROW],
  ['фывапролдж', ROW],
  ['абвгдежз', ROW],
  ['qwerty!йцукен', ROW],
  ['111222333', ROW],
  ['password', COMMON],
  ['Password1!', COMMON],
  ['p@ssw0rd', COMMON],
  ['P4$$w0rd2024', COMMON],
  ['iloveyou!!', COMMON],
  ['Dragon1998', COMMON],
  ['пароль123', COMMON],
  ['ПАРОЛЬ2024', COMMON],
  // The Russian words "пароль" and "привет", typed on a Latin keyboard layout, make the next two passwords.
  ['gfhjkm123', COMMON],
  ['ghbdtn2024', COMMON],
  ['солнышко', COMMON],
  ['solnishko', COMMON],
  ['spartak1922', COMMON],
  ['и\u0306цукен12', ROW],
  ['myringpostkey', SITE],
  ['RingPost2024!', SITE],
])('%s', (password, expected) => {
  expect(reason(password)).toBe(expected)
})

test('the name of the address is no password, nor a part of one when it is long enough to tell', () => {
  expect(reason('my-annuschka-key', 'Annuschka@example.test')).toBe(NAME)
  expect(reason('ANNUSCHKA', 'annuschka+shop@example.test')).toBe(NAME)
  expect(reason('a lively crane', 'a@example.test')).toBeNull()
  expect(reason('a lively crane', null)).toBeNull()
})

test.each([
  'correct horse battery',
  'a long enough password',
  'Tr0ub4dor&3x',
  'xk7-Pw2-mn9',
  'зелёный чайник поёт',
  'demo-password-1',
  'dragon slays knight',
  'x9f2kq7w',
  'passwordless future',
])('%s is a good password', (password) => {
  expect(reason(password)).toBeNull()
})

test('each reason is told in both languages', () => {
  for (const password of ['short', 'aaaaaaaa', 'password', 'ringpost-key', 'my-annuschka-key']) {
    const words = weaknessOf(password, 'annuschka@example.test')
    expect(words?.ru).toMatch(/[а-яё]{4}/)
    expect(words?.en).toMatch(/^[A-Z][ -~’]+$/)
  }
})
