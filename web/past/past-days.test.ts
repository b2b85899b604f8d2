import { expect, test } from 'vitest'
import { closedRangeOf, daysInAddress, type Period, rangeOf, readDays, todayIn } from './past-days.ts'

const OFFERED: Period[] = ['today', '7', '30', 'all']
const read = (query: string) => readDays(new URLSearchParams(query), 'all', OFFERED)

test('the day is that of the reader', () => {
  const moment = Date.parse('2026-03-05T22:30:00Z')
  expect(todayIn('UTC', moment)).toBe('2026-03-05')
  expect(todayIn('Asia/Vladivostok', moment)).toBe('2026-03-06')
  expect(todayIn('America/Los_Angeles', Date.parse('2026-01-01T03:00:00Z'))).toBe('2025-12-31')
})

test('the address holds a period or dates, and survives what is neither', () => {
  expect(read('period=7')).toEqual({ kind: 'period', period: '7' })
  expect(read('period=90')).toEqual({ kind: 'period', period: 'all' })
  expect(read('period=7&from=2026-03-01')).toEqual({ kind: 'picked', from: '2026-03-01', to: null })
  expect(read('from=2026-03-05&to=2026-03-01')).toEqual({ kind: 'picked', from: '2026-03-01', to: '2026-03-05' })
  for (const broken of ['from=2026-02-30', 'from=yesterday', 'from=0002-03-01', 'to=', 'from=2026-13-01']) {
    expect(read(broken)).toEqual({ kind: 'period', period: 'all' })
  }
})

test('what is written to the address is read from it', () => {
  for (const query of ['', 'period=today', 'from=2026-03-01', 'to=2026-03-01', 'from=2026-03-01&to=2026-03-05']) {
    const written = new URLSearchParams(daysInAddress(read(query), 'all'))
    expect(readDays(written, 'all', OFFERED)).toEqual(read(query))
  }
})

test('a period ends today and counts today in', () => {
  expect(rangeOf(read('period=today'), '2026-03-01')).toEqual({ from: '2026-03-01', to: '2026-03-01' })
  expect(rangeOf(read('period=7'), '2026-03-01')).toEqual({ from: '2026-02-23', to: '2026-03-01' })
  expect(rangeOf(read('period=7'), null)).toBeNull()
  expect(rangeOf(read(''), null)).toEqual({})
  expect(rangeOf(read('from=2026-03-01'), null)).toEqual({ from: '2026-03-01' })
})

test('a closed range never grows past its most days, nor into the future', () => {
  const closed = (query: string) => closedRangeOf(read(query), '2026-03-10', 366)
  expect(closed('')).toEqual({ from: '2025-03-10', to: '2026-03-10' })
  expect(closed('from=2019-01-01')).toEqual({ from: '2025-03-10', to: '2026-03-10' })
  expect(closed('from=2026-03-08&to=2027-01-01')).toEqual({ from: '2026-03-08', to: '2026-03-10' })
  expect(closed('from=2027-01-01')).toEqual({ from: '2026-03-10', to: '2026-03-10' })
  expect(closed('to=2026-02-01')).toEqual({ from: '2025-02-01', to: '2026-02-01' })
})
