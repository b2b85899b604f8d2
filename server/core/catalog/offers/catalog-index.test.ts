import { expect, test } from 'vitest'
import type { Offer } from '#server/core/suppliers/supplier.ts'
import { CatalogIndex } from './catalog-index.ts'
import type { CatalogFacts } from './price-offer.ts'

const SUPPLIER = 1
const COUNTRIES = Array.from({ length: 60 }, (_, place) => place + 1)
const CODES = Array.from({ length: 40 }, (_, place) => `s${place}`)

const offersAt = (costMicros: bigint): Offer[] =>
  CODES.flatMap((serviceCode) =>
    COUNTRIES.map((countryId) => ({
      serviceCode,
      countryId,
      operator: 'altel',
      costMicros,
      currency: 'rub',
      stock: 5,
    })),
  )

const words = { name_en: '', name_ru: '', position: 0 }

function factsWith(percent: number): CatalogFacts {
  const scope = { service_code: null, country_id: null, price_micros: null, currency: null }
  return {
    services: CODES.map((code) => ({ ...words, code, blocked_at: null })),
    countries: COUNTRIES.map((id) => ({
      ...words,
      id,
      iso2: '',
      dial: '',
      visible: true,
      retry: false,
      rent: false,
      multi: false,
    })),
    rules: [{ ...scope, margin_percent: percent, promotion_id: null, sale_limit_micros: null }],
    rulesUntil: null,
    terms: { rates: { rubMicrosPerUsd: 90_000_000n }, rounding: { rub: 'exact', usd: 'exact' } },
    outcomes: [],
    activeSupplierIds: [SUPPLIER],
  }
}

const pricesOf = (index: CatalogIndex) => [
  ...new Set(CODES.flatMap((code) => [...index.pairsOfService(code).values()].map(({ prices }) => prices.rub))),
]

test('while facts are loaded in pieces the ones before hold for all pairs, and what changes meanwhile is not lost', () => {
  const index = new CatalogIndex()
  index.load(factsWith(100))
  index.setOffers(SUPPLIER, offersAt(10_000_000n))
  expect(pricesOf(index)).toEqual([20_000_000n])
  const { version } = index
  const loading = index.loadInPieces(factsWith(300))
  let pieces = 0
  while (loading.next().done !== true) {
    pieces += 1
    expect(pricesOf(index)).toEqual([20_000_000n])
    if (pieces === 3) index.setOffers(SUPPLIER, offersAt(10_000_000n).slice(1))
  }
  expect(pieces).toBeGreaterThan(5)
  expect(pricesOf(index)).toEqual([40_000_000n])
  expect(index.pair('s0', 1)).toBeUndefined()
  expect(index.pairsOfService('s0').size).toBe(COUNTRIES.length - 1)
  expect(index.version).toBeGreaterThan(version)
})

test('of two loads the one that began last holds, whichever ends first', () => {
  const index = new CatalogIndex()
  index.load(factsWith(100))
  index.setOffers(SUPPLIER, offersAt(10_000_000n))
  const earlier = index.loadInPieces(factsWith(200))
  earlier.next()
  const later = index.loadInPieces(factsWith(300))
  later.next()
  while (earlier.next().done !== true) expect(pricesOf(index)).toEqual([20_000_000n])
  expect(pricesOf(index)).toEqual([20_000_000n])
  while (later.next().done !== true);
  expect(pricesOf(index)).toEqual([40_000_000n])
})

test('a standing that changes while outcomes are counted loses none of them', () => {
  const outcomes = CODES.flatMap((service_code) =>
    COUNTRIES.map((country_id) => ({
      service_code,
      country_id,
      supplier_id: SUPPLIER,
      operator: 'altel',
      purchases: 100,
      codes: 10,
      seconds_counts: [],
      uncounted: 0,
    })),
  )
  const index = new CatalogIndex()
  index.load(factsWith(100))
  index.setOffers(SUPPLIER, offersAt(10_000_000n))
  index.setStandings({ hidden: [SUPPLIER] })
  const loading = index.loadInPieces({ ...factsWith(300), outcomes })
  loading.next()
  index.setStandings({ hidden: [] })
  while (loading.next().done !== true);
  const pairs = CODES.flatMap((code) => [...index.pairsOfService(code).values()])
  expect(pairs).toHaveLength(CODES.length * COUNTRIES.length)
  expect(new Set(pairs.map((pair) => pair.outcomes.purchases))).toEqual(new Set([100]))
})
