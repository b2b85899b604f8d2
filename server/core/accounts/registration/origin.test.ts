import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readOrigin, readReferrerId, readUtm } from './origin.ts'

test('a referrer is a whole number the database can hold', () => {
  for (const [value, id] of [
    ['1', 1],
    ['2147483647', 2_147_483_647],
    [7, 7],
  ] as const) {
    expect(readReferrerId(value)).toBe(id)
  }
  const none = [
    undefined,
    null,
    '',
    '0',
    '-1',
    '01',
    '1.5',
    '2147483648',
    '1e3',
    ' 1',
    '٣',
    ['1', '2'],
    {},
    Number.NaN,
    1.5,
    0,
  ]
  for (const value of none) expect(readReferrerId(value)).toBeNull()
})

test('of a campaign only its bounded utm values are kept', () => {
  expect(readUtm('{"utm_source":"tg","utm_campaign":"весна","gclid":"x","utm_":"y","UTM_TERM":"z"}')).toEqual({
    utm_source: 'tg',
    utm_campaign: 'весна',
  })
  const long = { utm_source: 'x'.repeat(201), utm_medium: '', utm_term: 5, utm_id: 'a\0b', utm_content: '\ud800' }
  expect(readUtm(JSON.stringify(long))).toEqual({})
  const many = Object.fromEntries([...'abcdefghijkl'].map((letter) => [`utm_${letter}`, letter]))
  expect(Object.keys(readUtm(JSON.stringify(many)))).toHaveLength(10)
  expect(readUtm(`{"utm_source":"tg"${' '.repeat(2_000)}}`)).toEqual({})
})

test('nothing that a header may hold is an error', () => {
  expect(readOrigin(undefined)).toEqual({ referrerId: null, utm: {} })
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string(), fc.anything()), (value) => {
      const utm = readUtm(value)
      for (const [name, text] of Object.entries(utm)) {
        expect(name).toMatch(/^utm_[a-z_]{1,30}$/)
        expect(text.length).toBeLessThanOrEqual(200)
      }
      const id = readReferrerId(value)
      expect(id === null || (Number.isSafeInteger(id) && id > 0)).toBe(true)
    }),
  )
})
