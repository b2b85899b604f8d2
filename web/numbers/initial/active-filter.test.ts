import { expect, it } from 'vitest'
import type { ActiveNumbersFilter } from '#contract/activation.ts'
import { countFilters, isNarrowed, readActiveFilter, writeActiveFilter } from './active-filter.ts'

const read = (query: string) => readActiveFilter(new URLSearchParams(query), 'activation')

it.each<[string, ActiveNumbersFilter]>([
  ['', {}],
  ['search=+7705+&sort=newest', { search: '7705' }],
  ['services=tg,wa,tg&countries=0,2', { services_ids: ['tg', 'wa'], countries_ids: [0, 2] }],
  ['services=,<b>&countries=x,-1', {}],
  ['sort=expiring', { sort: 'expiring' }],
  ['sort=sideways', {}],
  ['service=tg&country=2', {}],
])('reads %s', (query, filter) => {
  expect(read(query)).toEqual({ ...filter, per_page: 10 })
})

it('writes a filter and keeps the rest of the address', () => {
  const before = new URLSearchParams('service=tg&search=old&sort=oldest')
  const after = writeActiveFilter(before, { services_ids: ['tg', 'wa'], countries_ids: [0], sort: 'newest' })
  expect(after.toString()).toBe('service=tg&services=tg%2Cwa&countries=0')
  expect(read(after.toString())).toEqual({ services_ids: ['tg', 'wa'], countries_ids: [0], per_page: 10 })
})

it('knows the list of ended numbers for rentals alone, and leaves it when the filter changes', () => {
  const params = new URLSearchParams('ended=1&search=7705')
  expect(readActiveFilter(params, 'rental')).toEqual({ search: '7705', ended: '1', per_page: 10 })
  expect(readActiveFilter(params, 'activation')).toEqual({ search: '7705', per_page: 10 })
  expect(writeActiveFilter(params, {}).toString()).toBe('ended=1')
})

it('tells whether and by how much a list is narrowed', () => {
  expect(isNarrowed(read('sort=oldest'))).toBe(false)
  expect(isNarrowed(read('search=1'))).toBe(true)
  expect(countFilters(read('services=tg,wa&countries=2&search=1'))).toBe(3)
})
