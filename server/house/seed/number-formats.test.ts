import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makePhone, phoneCapacity } from './number-formats.ts'
import { readSeedTable } from './read-seed-table.ts'
import { readSeedCountries } from './seed-tables.ts'

const countries = readSeedCountries()
const formatRows = readSeedTable('number-formats.tsv', ['country_id', 'dial', 'prefixes', 'length'])
const lengths = new Map(formatRows.map((row) => [Number(row.country_id), row.dial.length + Number(row.length)]))
const anyCountry = fc.constantFrom(...countries.map((country) => country.id))
const tenMillion = 10_000_000n

test('every country has a format with its own country code', () => {
  expect([...lengths.keys()].sort((a, b) => a - b)).toEqual(
    countries.map((country) => country.id).sort((a, b) => a - b),
  )
  for (const { id, dial } of countries) {
    const phone = makePhone(id, 0n)
    expect(phone.startsWith(dial), `country ${id}`).toBe(true)
    expect(phone).toMatch(/^\d{8,15}$/)
  }
})

test('different serials give different numbers as long as the country has any left', () => {
  const twoSerials = anyCountry.chain((countryId) => {
    const serial = fc.bigInt({ min: 0n, max: phoneCapacity(countryId) - 1n })
    return fc.tuple(fc.constant(countryId), serial, serial)
  })
  fc.assert(
    fc.property(twoSerials, ([countryId, first, second]) => {
      expect(makePhone(countryId, first) === makePhone(countryId, second)).toBe(first === second)
    }),
    { numRuns: 2000 },
  )
})

test('a country small enough to count gives each of its numbers once, then begins again', () => {
  for (const countryId of [204, 10348, 10227]) {
    const capacity = phoneCapacity(countryId)
    const phones = new Set<string>()
    for (let serial = 0n; serial < capacity; serial++) phones.add(makePhone(countryId, serial))
    expect(BigInt(phones.size)).toBe(capacity)
    expect(makePhone(countryId, capacity)).toBe(makePhone(countryId, 0n))
  }
})

test('100 000 numbers in a row of a large country are all different and never neighbours', () => {
  const phones = new Set<string>()
  let previous = 0n
  for (let serial = 5_000_000n; serial < 5_100_000n; serial++) {
    const phone = makePhone(2, serial)
    const distance = BigInt(phone) - previous
    expect(distance > 1000n || distance < -1000n).toBe(true)
    previous = BigInt(phone)
    phones.add(phone)
  }
  expect(phones.size).toBe(100_000)
})

test('the length of a number never varies within its country', () => {
  fc.assert(
    fc.property(anyCountry, fc.bigInt({ min: 0n, max: 10n ** 12n }), (countryId, serial) => {
      expect(makePhone(countryId, serial)).toHaveLength(lengths.get(countryId) ?? 0)
    }),
    { numRuns: 2000 },
  )
})

test('no number belongs to two countries', () => {
  const owners = new Map<string, number>()
  const starts: { start: string; length: number; countryId: number }[] = []
  for (const { id } of countries) {
    const length = lengths.get(id) ?? 0
    for (const start of startsOf(id)) starts.push({ start, length, countryId: id })
  }
  starts.sort((a, b) => (a.start < b.start ? -1 : 1))
  for (const { start, length, countryId } of starts) {
    for (let size = 1; size <= start.length; size++) {
      const owner = owners.get(`${start.slice(0, size)} ${length}`)
      expect(owner === undefined || owner === countryId, `${start} of ${countryId} and ${owner}`).toBe(true)
    }
    owners.set(`${start} ${length}`, countryId)
  }
})

test('the largest countries have room for ten million numbers, and real looking ones', () => {
  for (const country of countries.filter(({ rank, iso2 }) => rank <= 60 && iso2 !== 'CY')) {
    expect(phoneCapacity(country.id) >= tenMillion, country.nameEn).toBe(true)
  }
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: tenMillion }), (serial) => {
      expect(makePhone(0, serial)).toMatch(/^79\d{9}$/)
      expect(makePhone(2, serial)).toMatch(/^77\d{9}$/)
      expect(makePhone(6, serial)).toMatch(/^628\d{10}$/)
      expect(makePhone(16, serial)).toMatch(/^447\d{9}$/)
      expect(makePhone(187, serial)).toMatch(/^1[2-9]\d{2}[2-9]\d{6}$/)
    }),
  )
})

test('an unknown country and a negative serial are refused', () => {
  expect(() => makePhone(9999, 0n)).toThrow(RangeError)
  expect(() => makePhone(2, -1n)).toThrow(RangeError)
})

function startsOf(countryId: number): string[] {
  const row = formatRows.find((each) => Number(each.country_id) === countryId)
  const [dial, prefixes] = [row?.dial ?? '', row?.prefixes ?? '']
  return prefixes.split(',').flatMap((item) => {
    const [base = '', digits] = item.split('[')
    const [from = '', to = from] = base.split('-')
    const bases = Array.from({ length: Number(to) - Number(from) + 1 }, (_, step) =>
      String(Number(from) + step).padStart(from.length, '0'),
    )
    if (digits === undefined) return bases.map((each) => dial + each)
    const [low, high] = [Number(digits[0]), Number(digits[2])]
    return bases.flatMap((each) => Array.from({ length: high - low + 1 }, (_, step) => `${dial}${each}${low + step}`))
  })
}
