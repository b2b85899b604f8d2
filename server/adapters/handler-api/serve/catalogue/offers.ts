import { z } from 'zod'
import { type Currency, toDecimal } from '#contract/money.ts'
import { addOutcomes, noOutcomes, successShare } from '#server/core/catalog/health/outcome-bounds.ts'
import { type CatalogIndex, catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Pair } from '#server/core/catalog/offers/price-offer.ts'
import { keyAction } from '../action.ts'
import { amountNumber, json, readyJson, word } from '../answer.ts'
import { countryFilter } from '../parameters/country.ts'
import { commaList, flag, serviceCode } from '../parameters/parameter-schemas.ts'
import { remembered } from './remember.ts'
import { ladderOf, percentOf } from './write-prices.ts'

const MAX_NAMED = 50

/** Replies like Tiger for named services and countries: `{"data":{service:{country:{prices, counts, map}}}}`. */
export const getOffers = keyAction({
  scope: 'read',
  parameters: z.object({
    services: commaList.pipe(z.array(z.string()).max(MAX_NAMED)),
    countries: commaList.pipe(z.array(z.string()).max(MAX_NAMED)),
  }),
  refusals: { services: word('BAD_DATA'), countries: word('BAD_DATA') },
  handle(ctx, { currency }, { services, countries }) {
    const catalog = catalogOf(ctx)
    const wanted = new Set(countries)
    const data = [...new Set(services)].map((service) => {
      const pairs = [...catalog.pairsOfService(service).values()].filter(
        ({ countryId }) => wanted.size === 0 || wanted.has(String(countryId)),
      )
      const offers = pairs.map((pair) => `"${pair.countryId}":${offerJson(pair, currency)}`)
      return `${JSON.stringify(service)}:{${offers.join()}}`
    })
    return readyJson(`{"data":{${data.join()}}}`)
  },
})

/**
 * The keys are pairs of service and country. The catalogue makes a new object for each changed pair, so no entry is
 * outdated.
 */
const written = new WeakMap<Pair, Partial<Record<Currency, string>>>()

/** Returns a pair's cached JSON, because writing thousands of pairs for one call would block the process. */
function offerJson(pair: Pair, currency: Currency): string {
  const known = written.get(pair) ?? {}
  const found = known[currency] ?? JSON.stringify(offerOf(pair, currency))
  written.set(pair, { ...known, [currency]: found })
  return found
}

function offerOf(pair: Pair, currency: Currency) {
  const lowest = amountNumber(pair.prices[currency])
  return {
    prices: { default: lowest, avg: lowest, retail: lowest, min: lowest },
    counts: { total: pair.count, defaultPrice: pair.count },
    map: Object.fromEntries(ladderOf(pair.offers, currency).map(([price, count]) => [toDecimal(price), count])),
  }
}

/** Lists suppliers by their public number, to which the parameter `providerIds` refers. */
export const getProviders = keyAction({
  scope: 'read',
  parameters: z.object({ service: serviceCode.optional(), country: countryFilter }),
  refusals: { country: word('BAD_COUNTRY') },
  handle(ctx, _member, { service, country }) {
    const catalog = catalogOf(ctx)
    if (service === undefined && country === undefined) {
      return readyJson(remembered(catalog, 'providers', () => JSON.stringify(providersOf(everyPair(catalog)))))
    }
    if (service === undefined) return json(providersOf([...catalog.pairsOfCountry(country ?? 0).values()]))
    const pairs = [...catalog.pairsOfService(service).values()]
    return json(providersOf(country === undefined ? pairs : pairs.filter((pair) => pair.countryId === country)))
  },
})

function everyPair(catalog: CatalogIndex): Pair[] {
  return [...catalog.countries.keys()].flatMap((id) => [...catalog.pairsOfCountry(id).values()])
}

function providersOf(pairs: readonly Pair[]) {
  const found = new Map<number, { stock: number; outcomes: ReturnType<typeof noOutcomes> }>()
  for (const { supplierId, stock, outcomes } of pairs.flatMap(({ offers }) => offers)) {
    const known = found.get(supplierId) ?? { stock: 0, outcomes: noOutcomes() }
    known.stock += stock
    addOutcomes(known.outcomes, outcomes)
    found.set(supplierId, known)
  }
  const sorted = [...found].sort(([one], [other]) => one - other)
  return sorted.map(([id, { stock, outcomes }]) => ({
    id,
    name: `Provider${id}`,
    numbers_count: stock,
    delivery_percent: percentOf(successShare(outcomes)),
    number_lifetime: null,
  }))
}

export const getServiceNumbersCount = keyAction({
  scope: 'read',
  parameters: z.object({ service: serviceCode }),
  refusals: { service: word('BAD_SERVICE') },
  handle(ctx, _member, { service }) {
    const catalog = catalogOf(ctx)
    if (!catalog.services.has(service)) return word('BAD_SERVICE')
    const pairs = [...catalog.pairsOfService(service).values()]
    return json(pairs.map(({ countryId, count }) => ({ countryCode: countryId, numbersCount: count })))
  },
})

/** Replies like getPrices. The map in the reply also lists stock at higher prices. */
export const getPricesExtended = keyAction({
  scope: 'read',
  parameters: z.object({ service: serviceCode.optional(), country: countryFilter, freePrice: flag }),
  refusals: { country: word('BAD_COUNTRY', { as: 'filter' }) },
  handle(ctx, { currency }, { service, country, freePrice }) {
    const catalog = catalogOf(ctx)
    if (service !== undefined && !catalog.services.has(service)) return word('BAD_SERVICE', { as: 'filter' })
    if (country !== undefined && !catalog.countries.has(country)) return word('BAD_COUNTRY', { as: 'filter' })
    const make = () => JSON.stringify(extendedOf(catalog, { currency, freePrice, service, country }))
    if (service !== undefined || country !== undefined) return readyJson(make())
    return readyJson(remembered(catalog, `extended ${currency} ${freePrice}`, make))
  },
})

type Extended = { currency: Currency; freePrice: boolean; service: string | undefined; country: number | undefined }

function extendedOf(catalog: CatalogIndex, { currency, freePrice, service, country }: Extended) {
  const countries = (country === undefined ? [...catalog.countries.keys()] : [country]).flatMap((id) => {
    const one = service === undefined ? undefined : catalog.pair(service, id)
    const pairs = service === undefined ? [...catalog.pairsOfCountry(id).values()] : one === undefined ? [] : [one]
    const services = pairs.map(({ serviceCode: code, prices, count, offers }) => {
      const ladder = ladderOf(offers, currency).map(([price, stock]) => [toDecimal(price), stock])
      const map = freePrice && { freePriceMap: Object.fromEntries(ladder) }
      return [code, { cost: amountNumber(prices[currency]), count, ...map }] as const
    })
    return services.length === 0 ? [] : [[id, Object.fromEntries(services)] as const]
  })
  return Object.fromEntries(countries)
}

/** Lists nothing, because we sell no numbers for calls. */
export const getPricesVerification = keyAction({
  scope: 'read',
  parameters: z.object({}),
  handle: () => json({}),
})
