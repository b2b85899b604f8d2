import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { demoCostMicros, demoCountryIds, demoServiceCodes, demoStock } from './demo-offers.ts'
import { readCountryNicknames, readServiceNicknames } from './nicknames.ts'
import { readSeedTable } from './read-seed-table.ts'
import { readSeedCountries, readSeedOperators, readSeedServices } from './seed-tables.ts'

const services = readSeedServices()
const countries = readSeedCountries()

function checksum(ids: (string | number)[]): string {
  return createHash('sha256').update(ids.map(String).sort().join('\n')).digest('hex')
}

function duplicates<T>(values: T[]): T[] {
  return values.filter((value, at) => values.indexOf(value) !== at)
}

function oneTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1)
}

test('the codes of services are exactly those of the field', () => {
  expect(services).toHaveLength(2052)
  expect(checksum(services.map((service) => service.code))).toBe(
    '82df311d15eb89e4224ffb5c80877664507bbeb6a431a258dcf80217c2c6a039',
  )
})

test('the ids of countries are exactly those of the field', () => {
  expect(countries).toHaveLength(213)
  expect(checksum(countries.map((country) => country.id))).toBe(
    '63607d434f579762f55ccd0c66be93838040c5d7d218ef72b5bd67287f5094e9',
  )
})

test('every name can be shown: not empty, no stray space, no Cyrillic letter that only looks Latin', () => {
  for (const { nameEn, nameRu } of [...services, ...countries]) {
    for (const name of [nameEn, nameRu]) {
      expect(name).toBe(name.trim().replaceAll(/\s+/g, ' '))
      expect(name).not.toBe('')
    }
    expect(nameEn).not.toMatch(/\p{Script=Cyrillic}/u)
  }
})

test('two countries never share a name in one language', () => {
  expect(duplicates(countries.map((country) => country.nameEn))).toEqual([])
  expect(duplicates(countries.map((country) => country.nameRu))).toEqual([])
})

test('visible countries are told apart by their flag, but for the two kinds of USA', () => {
  const visible = countries.filter((country) => country.visible)
  expect(duplicates(visible.map((country) => country.iso2))).toEqual(['US'])
})

test('ranks run from 1 without a gap, and the whole-number rent is not among the services people look for', () => {
  expect(services.map((service) => service.rank).sort((a, b) => a - b)).toEqual(oneTo(2052))
  expect(countries.map((country) => country.rank).sort((a, b) => a - b)).toEqual(oneTo(213))
  expect(services.find((service) => service.code === 'full')?.rank).toBe(2052)
})

test('countries that are not sold stand behind all that are', () => {
  const lastVisible = Math.max(...countries.filter((country) => country.visible).map((country) => country.rank))
  const firstHidden = Math.min(...countries.filter((country) => !country.visible).map((country) => country.rank))
  expect(firstHidden).toBe(lastVisible + 1)
})

test('ISO letters and country codes are well formed, and the countries everybody relies on have their ids', () => {
  for (const { iso2, dial } of countries) {
    expect(iso2).toMatch(/^[A-Z]{2}$/)
    expect(dial).toMatch(/^[1-9]\d{0,2}$/)
  }
  const nameOf = new Map(countries.map((country) => [country.id, `${country.nameRu} ${country.iso2} ${country.dial}`]))
  expect(nameOf.get(0)).toBe('Россия RU 7')
  expect(nameOf.get(2)).toBe('Казахстан KZ 7')
  expect(nameOf.get(12)).toBe('США (виртуальные) US 1')
  expect(nameOf.get(16)).toBe('Великобритания GB 44')
  expect(nameOf.get(187)).toBe('США US 1')
})

test('operators belong to known countries and are words a client can send', () => {
  const operators = readSeedOperators()
  const ids = new Set(countries.map((country) => country.id))
  const sixty = countries.filter((country) => country.rank <= 60)
  for (const { id } of sixty) expect(operators.get(id)?.length, `country ${id}`).toBeGreaterThanOrEqual(2)
  for (const [countryId, names] of operators) {
    expect(ids).toContain(countryId)
    expect(names.length).toBeLessThanOrEqual(6)
    expect(duplicates(names)).toEqual([])
    for (const name of names) expect(name).toMatch(/^(?!any$)[a-z0-9]+$/)
  }
})

test('the demo offers the 60 first services in the 60 first countries', () => {
  const firstCodes = services.filter((service) => service.rank <= 60).sort((a, b) => a.rank - b.rank)
  const firstCountries = countries.filter((country) => country.rank <= 60).sort((a, b) => a.id - b.id)
  expect(demoServiceCodes).toEqual(firstCodes.map((service) => service.code))
  expect(demoCountryIds).toEqual(firstCountries.map((country) => country.id))
  expect(firstCountries.every((country) => country.visible)).toBe(true)
})

test('every demo pair has a cost in whole kopecks and numbers in stock, always the same', () => {
  const costs: bigint[] = []
  for (const code of demoServiceCodes) {
    for (const countryId of demoCountryIds) {
      const cost = demoCostMicros(code, countryId)
      costs.push(cost)
      expect(cost % 10_000n).toBe(0n)
      expect(demoCostMicros(code, countryId)).toBe(cost)
      const stock = demoStock(code, countryId)
      expect(Number.isInteger(stock) && stock > 0).toBe(true)
      expect(demoStock(code, countryId)).toBe(stock)
    }
  }
  expect(costs.every((cost) => cost >= 500_000n && cost <= 100_000_000n)).toBe(true)
  expect(new Set(costs).size).toBeGreaterThan(1500)
  // Tests and documents name this price, so it must change on purpose only.
  expect(demoCostMicros('tg', 2)).toBe(14_440_000n)
})

test('a pair outside the demo has no price', () => {
  expect(() => demoCostMicros('zz', 2)).toThrow(RangeError)
  expect(() => demoCostMicros('tg', 204)).toThrow(RangeError)
  expect(() => demoStock('tg', 204)).toThrow(RangeError)
})

test('a table whose columns are not those asked for is refused', () => {
  expect(() => readSeedTable('services.tsv', ['code', 'name_ru', 'name_en', 'rank'])).toThrow(/columns must be/)
})

test('every nickname is of a known service or country, in small letters, and there once', () => {
  const codes = new Set(services.map(({ code }) => code))
  const ids = new Set(countries.map(({ id }) => id))
  const tables = [
    [...readServiceNicknames()].map(([code, also]) => ({ known: codes.has(code), code, also })),
    [...readCountryNicknames()].map(([id, also]) => ({ known: ids.has(id), code: id, also })),
  ]
  for (const { known, code, also } of tables.flat()) {
    expect([code, known]).toEqual([code, true])
    expect([code, duplicates([...also])]).toEqual([code, []])
    for (const name of also) expect([code, name]).toEqual([code, name.trim().toLowerCase()])
    expect(also).not.toContain('')
  }
})
