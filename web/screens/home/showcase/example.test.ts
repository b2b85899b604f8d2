import { expect, test } from 'vitest'
import { formatPhone } from '#contract/formats/phone-format.ts'
import { exampleOf } from './example.ts'

test.each([
  ['KZ', '+7', /^\+7 705 010 00 \d\d$/],
  ['ID', '+62', /^\+62 812 0100 00\d\d$/],
  ['US', '+1', /^\+1 202 555 01\d\d$/],
  ['GB', '+44', /^\+44 7700 900 1\d\d$|^\+44 7700 900 01\d\d?$|^\+44 7700 9000\d\d$|^\+44 7700 900 \d{3}$/],
  ['EE', '+372', /^\+372 9010 00\d\d$/],
  ['XX', '+999', /^\+999 901 000 0\d\d$/],
])('an example in %s has the form of its numbers', (iso2, dial, form) => {
  const { phone, code } = exampleOf({ id: 'tg' }, { iso2, dial })
  expect(formatPhone(phone, dial)).toMatch(form)
  expect(code).toMatch(/^[1-9]\d{4}$/)
  expect(exampleOf({ id: 'wa' }, { iso2, dial }).code).toMatch(/^[1-9]\d{5}$/)
})
