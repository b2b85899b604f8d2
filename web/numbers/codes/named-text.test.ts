import { expect, test } from 'vitest'
import { saysName } from './named-text.ts'

test.each([
  ['X: 411077', 'X', true],
  ['Telegram code: 48213', 'Telegram', true],
  ['«Uber»: здравствуйте', 'Uber', true],
  ['[uber] 1234', 'Uber', true],
  ['Telegram', 'telegram', true],
  ['Xbox: 411077', 'X', false],
  ['code: 48213', 'Telegram', false],
  ['48213', '4821', false],
  ['anything', '', false],
  ['Your WhatsApp code: 445-222', 'WhatsApp', true],
  ['Ваш код «Uber»: 4821', 'Uber', true],
  ['Mailbox 4821', 'Mail', false],
  ['X.com: 411077', 'X.com', true],
  ['Xycom: 411077', 'X.com', false],
  ['C++ 4821', 'C++', true],
])('N-14: %j says the name %j: %s', (text, name, begins) => {
  expect(saysName(text, name)).toBe(begins)
})
