import { expect, test } from 'vitest'
import { makePhone } from '#server/house/seed/number-formats.ts'
import { readSeedCountries } from '#server/house/seed/seed-tables.ts'
import { judgeDialling } from './dialling.ts'

const countries = new Map(readSeedCountries().map((country) => [country.id, country]))

test.each([
  ['79261234567', 0, 'own'],
  ['79261234567', 222, 'own'],
  ['4915112345678', 0, 'foreign'],
  ['77051234567', 0, 'shared'],
  ['77051234567', 2, 'own'],
  ['79261234567', 2, 'shared'],
  ['12025550123', 187, 'own'],
  ['12025550123', 12, 'own'],
  ['14165550123', 187, 'shared'],
  ['14165550123', 36, 'own'],
  ['18765550123', 103, 'own'],
  ['18765550123', 187, 'shared'],
  ['12025550123', 103, 'shared'],
  ['447911123456', 16, 'own'],
  ['447797123456', 194, 'own'],
  ['380501234567', 1, 'own'],
] as const)('O-8: %s for the country %i is %s', (phone, countryId, judged) => {
  const country = countries.get(countryId)
  if (country === undefined) throw new Error('no such country')
  expect(judgeDialling(phone, country)).toBe(judged)
})

test('O-8: every country takes the numbers that the demo makes for it', () => {
  const refused = [...countries.values()].filter(
    (country) => judgeDialling(makePhone(country.id, 0n), country) !== 'own',
  )
  expect(refused.map(({ iso2 }) => iso2)).toEqual([])
})
