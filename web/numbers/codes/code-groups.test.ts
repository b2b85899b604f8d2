import { expect, test } from 'vitest'
import { codeGroups } from './code-groups.ts'

test.each([
  ['1234', '1234'],
  ['48213', '48 213'],
  ['813953', '813 953'],
  ['8139531', '813 9531'],
  ['12345678', '1234 5678'],
  ['123456789', '123 456 789'],
  ['1234567890', '123 456 7890'],
  ['12345678901', '12345678901'],
  ['G-481920', 'G-481920'],
  ['A1B2C3', 'A1B2C3'],
  ['', ''],
])('%j is read as %j', (code, groups) => {
  const digits = codeGroups(code).map((group) => group.digits)
  expect(digits.join(' ')).toBe(groups)
  expect(digits.join('')).toBe(code)
})
