import { expect, test } from 'vitest'
import { listDays, localTime, readDays } from './local-days.ts'

const startOf = (zone: string, day: string) => localTime(zone).startOf(day).toISOString()

test('a day begins when the clocks of its zone say so, on days of changing clocks as well', () => {
  expect(startOf('UTC', '2026-03-01')).toBe('2026-03-01T00:00:00.000Z')
  expect(startOf('Europe/Moscow', '2026-03-01')).toBe('2026-02-28T21:00:00.000Z')
  expect(startOf('Asia/Kolkata', '2026-03-01')).toBe('2026-02-28T18:30:00.000Z')
  expect(startOf('America/St_Johns', '2026-01-15')).toBe('2026-01-15T03:30:00.000Z')
  expect(startOf('Europe/Berlin', '2026-03-29')).toBe('2026-03-28T23:00:00.000Z')
  expect(startOf('Europe/Berlin', '2026-03-30')).toBe('2026-03-29T22:00:00.000Z')
  expect(startOf('Europe/Berlin', '2026-10-25')).toBe('2026-10-24T22:00:00.000Z')
  expect(startOf('Europe/Berlin', '2026-10-26')).toBe('2026-10-25T23:00:00.000Z')
  expect(startOf('Asia/Beirut', '2026-03-29')).toBe('2026-03-28T22:00:00.000Z')
  expect(startOf('America/Havana', '2026-11-01')).toBe('2026-11-01T04:00:00.000Z')
  expect(localTime('Asia/Beirut').dayOf(new Date('2026-03-28T21:59:59.999Z'))).toBe('2026-03-28')
  expect(localTime('Asia/Beirut').dayOf(new Date('2026-03-28T22:00:00.000Z'))).toBe('2026-03-29')
})

test('days of a whole year follow each other without a gap, whatever the zone', () => {
  for (const zone of ['Asia/Beirut', 'America/Havana', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca']) {
    const time = localTime(zone)
    const days = listDays({ from: '2026-01-01', to: '2026-12-31' })
    expect(days).toHaveLength(365)
    for (const day of days) {
      const start = time.startOf(day)
      expect([zone, day, time.dayOf(start)]).toEqual([zone, day, day])
      expect(time.dayOf(new Date(start.getTime() - 1)) < day).toBe(true)
    }
  }
})

test('wrong zones and spans are refused by the name of their field', () => {
  const standard = { from: () => '2026-01-01', to: '2026-03-01', maxDays: 366 }
  const refusedFields = (work: () => unknown) => {
    try {
      work()
      return []
    } catch (error) {
      return Object.keys((error as { errors?: object }).errors ?? {})
    }
  }
  for (const zone of ['Mars/Olympus', '', "'; DROP TABLE users; --", '+99:99']) {
    expect(refusedFields(() => localTime(zone))).toEqual(['time_zone'])
  }
  const utc = localTime(undefined)
  expect(refusedFields(() => readDays(utc, { from: '2026-03-02' }, standard))).toEqual(['from'])
  expect(refusedFields(() => readDays(utc, { from: '2025-02-28' }, standard))).toEqual(['from'])
  expect(readDays(utc, { from: '2025-03-01' }, standard)).toMatchObject({ from: '2025-03-01', to: '2026-03-01' })
})
