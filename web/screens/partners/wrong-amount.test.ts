import { expect, test } from 'vitest'
import { readAmount } from '#web/money/amount-text.ts'
import { wrongAmount } from './wrong-amount.ts'

test('an amount is read as people write it, and refused in words of its own', () => {
  const check = (typed: string, least = '20.00') =>
    wrongAmount(readAmount(typed, 'ru'), { available: '1240.50', least })
  expect(['20', '20,00', '99.50', '1 240,5', '1240,50'].map((typed) => check(typed))).toEqual(Array(5).fill(null))
  for (const typed of ['', '0', '-5', 'abc', '1.2.3', '1e3']) expect(check(typed)).toEqual({ key: 'badAmount' })
  for (const typed of ['12.345', '12,3456']) expect(check(typed)).toEqual({ key: 'decimals' })
  expect(check('19,99')).toEqual({ key: 'atLeast', limit: '20.00' })
  expect(check('0,01', '0')).toBeNull()
  expect(check('1240,51')).toEqual({ key: 'atMost', limit: '1240.50' })
})
