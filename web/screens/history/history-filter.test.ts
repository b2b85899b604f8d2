import { expect, test } from 'vitest'
import { rangeOf } from '#web/past/past-days.ts'
import {
  countFilters,
  entriesInput,
  historyInput,
  isNarrowed,
  paymentsInput,
  readHistory,
  receiptSearch,
  statementInput,
  unfiltered,
  writeHistory,
} from './history-filter.ts'

const read = (query: string) => readHistory(new URLSearchParams(query))
const FULL = 'period=7&search=7705&mode=rent&outcome=returned&services=tg%2Cwa&countries=2%2C6'

test('the address holds the whole choice, and nothing but it', () => {
  expect(read(FULL)).toEqual({
    view: 'numbers',
    days: { kind: 'period', period: '7' },
    search: '7705',
    mode: 'rent',
    outcome: 'returned',
    services: ['tg', 'wa'],
    countries: [2, 6],
    direction: null,
    payment: null,
  })
  expect(writeHistory(new URLSearchParams('keep=1'), read(FULL)).toString()).toBe(`keep=1&${FULL}`)
  expect(read('view=money&direction=in&outcome=lost&mode=x&countries=a,2&services=,;')).toMatchObject({
    view: 'money',
    direction: 'in',
    outcome: null,
    mode: null,
    countries: [2],
    services: [],
  })
  expect(writeHistory(new URLSearchParams(FULL), unfiltered('money')).toString()).toBe('view=money')
})

test('what is asked for is what was chosen, in the reader’s days', () => {
  const choice = read(FULL)
  const range = rangeOf(choice.days, '2026-03-10') ?? {}
  expect(historyInput(choice, { range, timeZone: 'Europe/Moscow' })).toEqual({
    from: '2026-03-04',
    to: '2026-03-10',
    time_zone: 'Europe/Moscow',
    search: '7705',
    mode: 'rent',
    outcome: 'returned',
    services_ids: ['tg', 'wa'],
    countries_ids: [2, 6],
    per_page: 20,
  })
  expect(entriesInput(read('view=money&direction=out'), { range: {}, timeZone: 'Europe/Moscow' })).toEqual({
    direction: 'out',
    per_page: 20,
  })
})

test('payments are searched by the reader’s days, and a statement takes the days alone', () => {
  const days = { range: { from: '2026-03-01' }, timeZone: 'Europe/Moscow' }
  const choice = read('view=payments&search=card&direction=in')
  // SP-5: the payments call gets the days and the search text.
  expect(paymentsInput(choice, days)).toEqual({
    from: '2026-03-01',
    time_zone: 'Europe/Moscow',
    search: 'card',
    per_page: 10,
  })
  expect(statementInput(days)).toEqual({ from: '2026-03-01', time_zone: 'Europe/Moscow' })
  expect(statementInput({ range: {}, timeZone: 'Europe/Moscow' })).toEqual({})
  expect([countFilters(choice), isNarrowed(choice), isNarrowed(read('view=statement&search=a'))]).toEqual([
    0,
    true,
    false,
  ])
})

test('a receipt has an address of its own', () => {
  expect(receiptSearch('RP-1&view=money')).toBe('view=payments&payment=RP-1%26view%3Dmoney')
  expect(read(receiptSearch('RP-1')).payment).toBe('RP-1')
  expect(read('view=payments&payment=').payment).toBeNull()
})

test('without days the server and the browser ask for the same', () => {
  const choice = read('search=tg')
  const onServer = historyInput(choice, { range: {}, timeZone: null })
  expect(onServer).toEqual(historyInput(choice, { range: {}, timeZone: 'Asia/Tokyo' }))
})

test('filters are counted where they count', () => {
  expect([countFilters(read(FULL)), isNarrowed(read(FULL))]).toEqual([7, true])
  expect([countFilters(read('search=a')), isNarrowed(read('search=a'))]).toEqual([0, true])
  expect([countFilters(read('view=money&services=tg&search=a')), isNarrowed(read('view=money&search=a'))]).toEqual([
    0,
    false,
  ])
  expect(countFilters(read('view=money&direction=in&from=2026-03-01'))).toBe(2)
})
