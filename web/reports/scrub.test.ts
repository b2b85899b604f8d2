import { expect, test } from 'vitest'
import { scrubText, scrubUrl } from './scrub.ts'

test.each([
  ['anna@ringpost.test is taken', '[e-mail] is taken'],
  ['?email=anna%40ringpost.test&x', '?email=[e-mail]&x'],
  ['the code 048213 is wrong', 'the code [digits] is wrong'],
  ['the code 048-213 for +7 705 123 45 67', 'the code [digits] for [digits]'],
  ['Authorization: Bearer abc.def', 'Authorization: [token]'],
  ['token rp_9fK2mZ0qLw8xY7vB3nC1 given', 'token [token] given'],
  ["Cannot read properties of undefined (reading 'map')", "Cannot read properties of undefined (reading 'map')"],
])('%s', (text, scrubbed) => {
  expect(scrubText(text)).toBe(scrubbed)
})

test('an address says where in the site it is, and no more', () => {
  expect(scrubUrl('https://ringpost.test/check/reset-password?token=abc&email=a@b.c#x')).toBe(
    'https://ringpost.test/check/reset-password',
  )
  expect(scrubUrl('/support/100000123')).toBe('/support/[digits]')
})
