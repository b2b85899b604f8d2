import { expect, it } from 'vitest'
import { readMaxPrice, writeMaxPrice } from './max-price-param.ts'

it.each([
  ['max=12.50', '12.50'],
  ['max=7', '7'],
  ['', null],
  ['max=', null],
  ['max=12,5', null],
  ['max=-1', null],
  ['max=1e9', null],
])('?%s says %s', (query, expected) => {
  expect(readMaxPrice(new URLSearchParams(query))).toBe(expected)
})

it('stands beside the choice, and leaves the address when it is given up', () => {
  const params = writeMaxPrice(new URLSearchParams('service=tg'), '12.50')
  expect(params.toString()).toBe('service=tg&max=12.50')
  expect(writeMaxPrice(params, null).toString()).toBe('service=tg')
})
