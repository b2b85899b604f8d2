import { z } from 'zod'
import { ANY_OPERATOR } from '#contract/catalog.ts'
import type { Currency } from '#contract/money.ts'
import type { ServedDialect } from '#server/adapters/handler-api/wire/dialects.ts'
import { type CatalogIndex, catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Pair } from '#server/core/catalog/offers/price-offer.ts'
import { keyAction } from '../action.ts'
import { readyJson, word } from '../answer.ts'
import { ANY_COUNTRY, countryFilter, countryOrAny } from '../parameters/country.ts'
import { commaList, serviceCode } from '../parameters/parameter-schemas.ts'
import { type SupplierFilter, supplierFilter } from '../parameters/supplier-filter.ts'
import { remembered } from './remember.ts'
import { writeCost, writeLadder, writeSuppliers, writeSuppliersAlone } from './write-prices.ts'

const wrongService = word('BAD_SERVICE', { as: 'filter' })
const wrongCountry = word('BAD_COUNTRY', { as: 'filter' })

type Shown = { currency: Currency; isSupplierWanted?: SupplierFilter }
type Write = (pair: Pair, shown: Shown) => string | null

/** Replies `{country: {service: {cost, count, physicalCount}}}` for pairs in stock, or SMSHub's price ladders. */
export const getPrices = pricesAction('prices', ({ prices }) => (prices === 'ladder' ? writeLadder : writeCost))
/** Replies `{country: {service: {"13.00": 100}}}`, which is the stock at each price. */
export const getPricesV2 = pricesAction('ladders', () => writeLadder)
export const getPricesV3 = pricesAction('suppliers', ({ pricesV3 }) =>
  pricesV3 === 'flat' ? writeSuppliersAlone : writeSuppliers,
)

function pricesAction(name: string, writerOf: (dialect: ServedDialect) => Write) {
  return keyAction({
    scope: 'read',
    parameters: z.object({
      service: serviceCode.optional(),
      country: countryFilter,
      providerIds: commaList,
      exceptProviderIds: commaList,
    }),
    refusals: { service: wrongService, country: wrongCountry },
    handle(ctx, { currency }, { service, country, ...suppliers }, dialect) {
      const catalog = catalogOf(ctx)
      if (service !== undefined && !catalog.services.has(service)) return wrongService
      if (country !== undefined && !catalog.countries.has(country)) return wrongCountry
      const write = writerOf(dialect)
      const isSupplierWanted = supplierFilter(suppliers)
      if (service === undefined && country === undefined) {
        // A list of all countries for only some suppliers is expensive and cannot be cached, so a country is required.
        if (isSupplierWanted !== undefined) return wrongCountry
        const key = `${name} ${write.name} ${currency}`
        return readyJson(remembered(catalog, key, () => pricesJson(everyPair(catalog), write, { currency })))
      }
      const shown = { currency, ...(isSupplierWanted && { isSupplierWanted }) }
      return readyJson(pricesJson(chosenPairs(catalog, { service, country }), write, shown))
    },
  })
}

function everyPair(catalog: CatalogIndex): CountryPairs[] {
  return [...catalog.countries.keys()].map((id) => ({ id, pairs: catalog.pairsOfCountry(id).values() }))
}

type CountryPairs = { id: number; pairs: Iterable<Pair> }

function chosenPairs(
  catalog: CatalogIndex,
  { service, country }: { service: string | undefined; country: number | undefined },
): CountryPairs[] {
  if (service === undefined) {
    return country === undefined ? [] : [{ id: country, pairs: catalog.pairsOfCountry(country).values() }]
  }
  const pairs = [...catalog.pairsOfService(service).values()]
  return pairs
    .filter((pair) => country === undefined || pair.countryId === country)
    .map((pair) => ({ id: pair.countryId, pairs: [pair] }))
}

/** Writes the JSON as text, for speed with some hundred thousand entries and for exact decimals. */
function pricesJson(countries: CountryPairs[], write: Write, shown: Shown): string {
  const parts: string[] = []
  for (const { id, pairs } of countries) {
    const services: string[] = []
    for (const pair of pairs) {
      const written = write(pair, shown)
      if (written !== null) services.push(`${JSON.stringify(pair.serviceCode)}:${written}`)
    }
    if (services.length > 0) parts.push(`"${id}":{${services.join(',')}}`)
  }
  return `{${parts.join(',')}}`
}

export const getNumbersStatus = keyAction({
  scope: 'read',
  parameters: z.object({ country: countryOrAny.default(0), operator: commaList }),
  refusals: { country: word('BAD_COUNTRY') },
  handle(ctx, _member, { country, operator }, { stock }) {
    const catalog = catalogOf(ctx)
    if (country !== ANY_COUNTRY && !catalog.countries.has(country)) return word('BAD_COUNTRY')
    // An operator belongs to one country, so operators are ignored if every country is wanted.
    if (country === ANY_COUNTRY) {
      return readyJson(
        remembered(catalog, `stock ${stock}`, () => stockJson(catalog, catalog.countries.keys(), { stock })),
      )
    }
    const isEvery = operator.length === 0 || operator.includes(ANY_OPERATOR)
    return readyJson(stockJson(catalog, [country], { stock, ...(!isEvery && { operators: operator }) }))
  },
})

type StockShown = { stock: ServedDialect['stock']; operators?: readonly string[] }

function stockJson(catalog: CatalogIndex, countryIds: Iterable<number>, { stock, operators }: StockShown): string {
  const counts = new Map<string, number>()
  for (const id of countryIds) {
    for (const { serviceCode: code, offers } of catalog.pairsOfCountry(id).values()) {
      const chosen =
        operators === undefined ? offers : offers.filter(({ operator }) => operators.includes(operator.toLowerCase()))
      if (chosen.length > 0)
        counts.set(
          code,
          chosen.reduce((sum, offer) => sum + offer.stock, counts.get(code) ?? 0),
        )
    }
  }
  // SMS-Activate wrote counts as text, and typed clients expect text.
  const write = ([code, count]: [string, number]) =>
    stock === 'suffixes' ? [`${code}_0`, count] : [code, String(count)]
  return JSON.stringify(Object.fromEntries([...counts].map(write)))
}
