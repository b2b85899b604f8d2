import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatPhone } from './phone-format.ts'

test.each([
  ['77051234567', '7', '+7 705 123 45 67'],
  ['79161234567', '+7', '+7 916 123 45 67'],
  ['6281234567890', '62', '+62 812 3456 7890'],
  ['12015550123', '1', '+1 201 555 0123'],
  ['447911123456', '44', '+44 7911 123 456'],
  ['380501234567', '380', '+380 50 123 45 67'],
  ['33612345678', '33', '+33 6 12 34 56 78'],
  ['5511987654321', '55', '+55 11 98765 4321'],
  ['4915112345678', '49', '+49 1511 234 5678'],
  ['37120123456', '371', '+371 2012 3456'],
  ['687751234', '687', '+687 751 234'],
])('%s of +%s reads %s', (digits, dial, text) => {
  expect(formatPhone(digits, dial)).toBe(text)
})

test('a number of an unexpected length falls back to groups of its length', () => {
  expect(formatPhone('7705123456', '7')).toBe('+7 705 123 456')
  expect(formatPhone('7705', '7')).toBe('+7 705')
  expect(formatPhone('77051234567890', '7')).toBe('+7 705 123 456 789 0')
})

test('a number that does not begin with the country code is not cut there', () => {
  expect(formatPhone('79161234567', '380')).toBe('+791 6123 4567')
})

test('a country code alone stays itself', () => {
  expect(formatPhone('7', '7')).toBe('+7')
})

test('no digit is lost, added or moved, and no group is empty', () => {
  const digits = fc.stringMatching(/^\d{1,20}$/)
  const dial = fc.stringMatching(/^\d{1,3}$/)
  fc.assert(
    fc.property(digits, dial, fc.boolean(), (number, code, begins) => {
      const whole = begins ? code + number : number
      const text = formatPhone(whole, code)
      expect(text.replaceAll(/[+ ]/g, '')).toBe(whole)
      expect(text).toMatch(/^\+\d+( \d+)*$/)
    }),
  )
})
