import { expect, test } from 'vitest'
import { beginsWithName } from './named-text.ts'

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
])('N-14: %j begins with %j: %s', (text, name, begins) => {
  expect(beginsWithName(text, name)).toBe(begins)
})
