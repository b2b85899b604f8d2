import { expect, test } from 'vitest'
import { normalizeText } from './normalize-text.ts'

test.each([
  ['', ''],
  ['   ', ''],
  ['  anna', 'anna'],
  ['anna ', 'anna '],
  ['anna   smith\t\nof  there ', 'anna smith of there '],
  ['\u00a0анна\u00a0\u00a0и', 'анна и'],
])('%j becomes %j', (text, expected) => {
  expect(normalizeText(text)).toBe(expected)
})
