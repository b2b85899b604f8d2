import { expect, it } from 'vitest'
import { readMaxPrice, writeMaxPrice } from './max-price-param.ts'

it.each([
  ['max=12.50', '12.50'],
  ['max=7', '7'],
  ['', null],
  ['max=', null],
  ['max=none', null],
  ['max=12,5', null],
  ['max=-1', null],
  ['max=1e9', null],
])('?%s says %s', (query, expected) => {
  expect(readMaxPrice(new URLSearchParams(query), null)).toBe(expected)
})

it('stands beside the choice, and leaves the address when it is given up', () => {
  const params = writeMaxPrice(new URLSearchParams('service=tg'), '12.50', null)
  expect(params.toString()).toBe('service=tg&max=12.50')
  expect(writeMaxPrice(params, null, null).toString()).toBe('service=tg')
})

it('begins with the ceiling of the settings, which the address changes or lifts', () => {
  const bare = new URLSearchParams('service=tg')
  expect(readMaxPrice(bare, '20.00')).toBe('20.00')
  expect(readMaxPrice(new URLSearchParams('max=12'), '20.00')).toBe('12')
  const lifted = writeMaxPrice(bare, null, '20.00')
  expect([lifted.toString(), readMaxPrice(lifted, '20.00')]).toEqual(['service=tg&max=none', null])
  expect(writeMaxPrice(lifted, '20.00', '20.00').toString()).toBe('service=tg')
})
