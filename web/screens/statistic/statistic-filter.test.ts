import { expect, test } from 'vitest'
import { countFilters, qualityInput, readStatistic, statisticsInput, writeStatistic } from './statistic-filter.ts'

const read = (query: string) => readStatistic(new URLSearchParams(query))
const FULL = 'period=7&mode=rent&services=tg%2Cwa&countries=2%2C6&service=go&country=0'
const READER = { today: '2026-03-10', timeZone: 'Europe/Moscow' }

test('the address holds the whole choice', () => {
  expect(read(FULL)).toEqual({
    days: { kind: 'period', period: '7' },
    mode: 'rent',
    services: ['tg', 'wa'],
    countries: [2, 6],
    service: 'go',
    country: 0,
  })
  expect(writeStatistic(new URLSearchParams('keep=1'), read(FULL)).toString()).toBe(`keep=1&${FULL}`)
  expect(read('country=x&service=a%20b&period=all')).toMatchObject({
    country: null,
    service: null,
    days: { period: '30' },
  })
  expect([countFilters(read('')), countFilters(read(FULL)), countFilters(read('service=go'))]).toEqual([0, 6, 0])
})

test('sums are asked for over closed days of the reader, never more than a reply holds', () => {
  expect(statisticsInput(read(FULL), READER)).toEqual({
    from: '2026-03-04',
    to: '2026-03-10',
    time_zone: 'Europe/Moscow',
    mode: 'rent',
    services_ids: ['tg', 'wa'],
    countries_ids: [2, 6],
  })
  expect(statisticsInput(read('from=2020-01-01'), READER)).toMatchObject({ from: '2025-03-10', to: '2026-03-10' })
  expect(statisticsInput(read(''), { ...READER, timeZone: null })).toBeNull()
})

test('what is measured of everybody has a choice of its own, and country 0 is one', () => {
  expect(qualityInput(read(FULL))).toEqual({ service_id: 'go', country_id: 0, per_page: 10 })
  expect(qualityInput(read('services=tg'))).toEqual({ per_page: 10 })
})
