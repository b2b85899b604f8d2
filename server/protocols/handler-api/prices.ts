import { z } from 'zod'
import { type Currency, toDecimal } from '#contract/money.ts'
import type { CatalogIndex, Pair } from '#server/catalog/offers/catalog-index.ts'
import { keyAction } from './action.ts'
import { amountNumber, json, readyJson, word } from './answer.ts'
import { commaList, countryId, flag, serviceCode } from './parameter-schemas.ts'
import { remembered } from './remember.ts'

const wrongService = json({ status: 'false', msg: 'service is incorrect' })
const wrongCountry = json({ status: 'false', msg: 'country is incorrect' })

/** `{country: {service: {cost, count, physicalCount}}}` of what is in stock, in the account's currency. */
export const getPrices = keyAction({
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

/** Written by hand: the whole list has some hundred thousand entries, and amounts keep their decimals. */
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

/** `{service: count}` of what is in stock in a country; with operators, of theirs. */
export const getNumbersStatus = keyAction({
  parameters: z.object({ country: countryId.default(0), operator: commaList }),
  refusals: { country: word('BAD_COUNTRY') },
  handle(ctx, _member, { country, operator }) {
    if (!ctx.catalog.countries.has(country)) return word('BAD_COUNTRY')
    const every = operator.length === 0 || operator.includes('any')
    // Counts are texts: so SMS-Activate sent them, and typed clients read them.
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

/**
 * Countries where a service is in stock, most popular first, as an object with the keys "0", "1" …; without a service such
 * an object for every service that is in stock, by its code.
 */
export const getTopCountriesByService = keyAction({
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
  // The catalogue's countries stand in the order of their popularity.
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
