import { z } from 'zod'
import { type Currency, toDecimal } from '#contract/money.ts'
import type { CatalogIndex, Pair } from '#server/catalog/offers/catalog-index.ts'
import { keyAction } from './action.ts'
import { amountNumber, json, readyJson, word } from './answer.ts'
import { commaList, countryId, flag, serviceCode } from './parameters/parameter-schemas.ts'
import { remembered } from './remember.ts'

const wrongService = json({ status: 'false', msg: 'service is incorrect' })
const wrongCountry = json({ status: 'false', msg: 'country is incorrect' })

/** `{country: {service: {cost, count, physicalCount}}}` of pairs in stock. */
export const getPrices = keyAction({
  scope: 'read',
  parameters: z.object({ service: serviceCode.optional(), country: countryId.optional() }),
  refusals: { service: wrongService, country: wrongCountry },
  handle(ctx, member, { service, country }) {
    const { catalog } = ctx
    if (service !== undefined && !catalog.services.has(service)) return wrongService
    if (country !== undefined && !catalog.countries.has(country)) return wrongCountry
    if (service === undefined && country === undefined) {
      return readyJson(remembered(catalog, `prices ${member.currency}`, () => allPrices(catalog, member.currency)))
    }
    return readyJson(pricesJson(chosenPairs(catalog, { service, country }), member.currency))
  },
})

function allPrices(catalog: CatalogIndex, currency: Currency): string {
  const countries = [...catalog.countries.keys()].map((id) => ({ id, pairs: catalog.pairsOfCountry(id).values() }))
  return pricesJson(countries, currency)
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

/** Built as text for speed (some hundred thousand entries) and exact decimals. */
function pricesJson(countries: CountryPairs[], currency: Currency): string {
  const parts: string[] = []
  for (const { id, pairs } of countries) {
    const services: string[] = []
    for (const pair of pairs) {
      const cost = toDecimal(pair.prices[currency])
      services.push(
        `${JSON.stringify(pair.serviceCode)}:{"cost":${cost},"count":${pair.count},"physicalCount":${pair.count}}`,
      )
    }
    if (services.length > 0) parts.push(`"${id}":{${services.join(',')}}`)
  }
  return `{${parts.join(',')}}`
}

/** `{service: count}` in stock, of the given operators or all. */
export const getNumbersStatus = keyAction({
  scope: 'read',
  parameters: z.object({ country: countryId.default(0), operator: commaList }),
  refusals: { country: word('BAD_COUNTRY') },
  handle(ctx, _member, { country, operator }) {
    if (!ctx.catalog.countries.has(country)) return word('BAD_COUNTRY')
    const every = operator.length === 0 || operator.includes('any')
    // SMS-Activate sent counts as text, and typed clients read them so.
    const counts: Record<string, string> = {}
    for (const pair of ctx.catalog.pairsOfCountry(country).values()) {
      const offers = every
        ? pair.offers
        : pair.offers.filter((offer) => operator.includes(offer.operator.toLowerCase()))
      if (offers.length > 0) counts[pair.serviceCode] = String(offers.reduce((sum, offer) => sum + offer.stock, 0))
    }
    return json(counts)
  },
})

/** Keys are "0", "1" …, most popular first. Without a service: such an object by service code. */
export const getTopCountriesByService = keyAction({
  scope: 'read',
  parameters: z.object({ service: serviceCode.optional(), freePrice: flag }),
  refusals: { service: word('BAD_SERVICE') },
  handle({ catalog }, { currency }, { service, freePrice }) {
    const shown = { currency, freePrice }
    if (service === undefined) {
      const key = `top ${currency} ${freePrice}`
      return readyJson(remembered(catalog, key, () => JSON.stringify(topOfEvery(catalog, shown))))
    }
    return isSold(catalog, service) ? json(topCountries(catalog, service, shown)) : word('BAD_SERVICE')
  },
})

type Shown = { currency: Currency; freePrice: boolean }

function isSold(catalog: CatalogIndex, service: string): boolean {
  const row = catalog.services.get(service)
  return row !== undefined && row.blocked_at === null
}

function topOfEvery(catalog: CatalogIndex, shown: Shown) {
  const sold = [...catalog.services.keys()].filter((code) => isSold(catalog, code))
  const inStock = sold.filter((code) => catalog.pairsOfService(code).size > 0)
  return Object.fromEntries(inStock.map((code) => [code, topCountries(catalog, code, shown)]))
}

function topCountries(catalog: CatalogIndex, service: string, { currency, freePrice }: Shown) {
  const pairs = catalog.pairsOfService(service)
  // The catalogue's countries are ordered by popularity.
  const sorted = [...catalog.countries.keys()].map((id) => pairs.get(id)).filter((pair) => pair !== undefined)
  const rows = sorted.map((pair) => {
    const price = amountNumber(pair.prices[currency])
    const priceMap = { [toDecimal(pair.prices[currency])]: pair.count }
    return {
      country: pair.countryId,
      count: pair.count,
      price,
      retail_price: price,
      physicalTotalCount: pair.count,
      physicalCountForDefaultPrice: pair.count,
      physicalPriceMap: priceMap,
      ...(freePrice && { freePriceMap: priceMap }),
    }
  })
  return { ...rows }
}
