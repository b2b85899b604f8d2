import { expect, test } from 'vitest'
import { isTimeZone } from './time-zone.ts'

test('a zone that this runtime knows is one, at the first look and at the next; nothing else is, however long', () => {
  for (const look of [1, 2]) {
    for (const name of ['Europe/Moscow', 'Asia/Calcutta', 'UTC'])
      expect([look, name, isTimeZone(name)]).toEqual([look, name, true])
    for (const name of ['', 'Moscow', '<b>', 'x'.repeat(6_000)])
      expect([look, name, isTimeZone(name)]).toEqual([look, name, false])
  }
  for (let place = 0; place < 1_100; place += 1) expect(isTimeZone(`Nowhere/${place}`)).toBe(false)
  expect(isTimeZone('Europe/Moscow')).toBe(true)
})
