import { z } from 'zod'
import { ANY_OPERATOR } from '#contract/catalog.ts'
import type { Currency } from '#contract/money.ts'
import { FULL_NUMBER } from '#contract/rental.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { type RentIndex, type RentPair, rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import type { Context } from '#server/house/context.ts'
import { amountNumber, CURRENCY_NUMBERS, json, readyJson } from '../answer.ts'
import { remembered } from '../catalogue/remember.ts'
import { ANY_COUNTRY, countryFilter, countryOrAny } from '../parameters/country.ts'
import { commaList, flag, serviceCode } from '../parameters/parameter-schemas.ts'
import { hoursParameters, periodOf } from './period.ts'
import { rentAction, rentError } from './rent-action.ts'
import { asPhpList } from './rent-record.ts'

type Wanted = { hours: number; currency: Currency; operator: string | null }

/** Lists services and countries in stock for this length of rental. Fields also have HeroSMS's names. */
export const getRentServicesAndCountries = rentAction({
  scope: 'read',
  parameters: z.object({
    country: countryOrAny.default(0),
    operator: commaList,
    incomingCall: flag,
    ...hoursParameters,
  }),
  refusals: { country: 'BAD_COUNTRY' },
  handle(ctx, { currency }, { country, operator: operators, incomingCall, ...given }) {
    const hours = periodOf(given)
    if (typeof hours !== 'number') return hours
    if (incomingCall) return rentError('OUT_OF_STOCK')
    if (country === ANY_COUNTRY) {
      const every = { hours, currency, operator: null }
      const countries = [...catalogOf(ctx).countries.keys()]
      const made = remembered(
        rentCatalogOf(ctx),
        `rents ${currency} ${hours}`,
        () => rentsJson(ctx, countries, every) ?? '',
      )
      return made.length === 0 ? rentError('OUT_OF_STOCK') : readyJson(made)
    }
    const [first = ANY_OPERATOR] = operators
    const found = rentsJson(ctx, [country], { hours, currency, operator: first === ANY_OPERATOR ? null : first })
    return found === null ? rentError('OUT_OF_STOCK') : readyJson(found)
  },
})

function rentsJson(ctx: Context, countryIds: readonly number[], wanted: Wanted): string | null {
  const catalog = catalogOf(ctx)
  const rentCatalog = rentCatalogOf(ctx)
  const { hours, currency } = wanted
  const pairs = countryIds.flatMap((id) => [...rentCatalog.pairsOfCountry(id).values()])
  const services = servicesOf(pairs, wanted)
  if (Object.keys(services).length === 0) return null
  const offers = pairs.flatMap((pair) => pair.offers.filter((offer) => offer.hours === hours))
  return JSON.stringify({
    countries: asPhpList([...catalog.countries.keys()].filter((id) => isRented(rentCatalog, id, hours))),
    operators: asPhpList([...new Set(offers.map((offer) => offer.operator))].toSorted().concat(ANY_OPERATOR)),
    services,
    currency: CURRENCY_NUMBERS[currency],
  })
}

/** Stops at the first rentable service, because most countries have many. */
function isRented(index: RentIndex, country: number, hours: number): boolean {
  for (const { periods } of index.pairsOfCountry(country).values()) if (periods.has(hours)) return true
  return false
}

function servicesOf(pairs: readonly RentPair[], wanted: Wanted) {
  const sold = new Map<string, { priceMicros: bigint; count: number }>()
  for (const pair of pairs) {
    const offer = pricedFor(pair, wanted)
    if (offer === null) continue
    const known = sold.get(pair.serviceCode) ?? { priceMicros: offer.priceMicros, count: 0 }
    const priceMicros = offer.priceMicros < known.priceMicros ? offer.priceMicros : known.priceMicros
    sold.set(pair.serviceCode, { priceMicros, count: known.count + offer.count })
  }
  const rows = [...sold].map(([service, { priceMicros, count }]) => {
    const cost = amountNumber(priceMicros)
    return [service, { cost, quant: count, price: cost, retail_price: cost, quantity: count }] as const
  })
  return Object.fromEntries(rows)
}

function pricedFor(pair: RentPair, { hours, currency, operator }: Wanted) {
  if (operator === null) {
    const period = pair.periods.get(hours)
    return period === undefined ? null : { priceMicros: period.prices[currency], count: period.count }
  }
  const fitting = pair.offers.filter((offer) => offer.hours === hours && offer.operator.toLowerCase() === operator)
  const [first] = fitting
  if (first === undefined) return null
  const lowest = fitting.reduce(
    (low, { prices }) => (prices[currency] < low ? prices[currency] : low),
    first.prices[currency],
  )
  return { priceMicros: lowest, count: fitting.reduce((sum, { stock }) => sum + stock, 0) }
}

/** Lists every country at once, like sms.online, so that a reseller needs one request for each length. */
export const getRentPrices = rentAction({
  scope: 'read',
  parameters: z.object({ country: countryFilter, ...hoursParameters }),
  refusals: { country: 'BAD_COUNTRY' },
  handle(ctx, { currency }, { country, ...given }) {
    const hours = periodOf(given)
    if (typeof hours !== 'number') return hours
    const rentCatalog = rentCatalogOf(ctx)
    if (country !== undefined) return json(pricesOf(rentCatalog, [country], { hours, currency }))
    const make = () => JSON.stringify(pricesOf(rentCatalog, [...catalogOf(ctx).countries.keys()], { hours, currency }))
    return readyJson(remembered(rentCatalog, `rent prices ${currency} ${hours}`, make))
  },
})

function pricesOf(index: RentIndex, countryIds: number[], { hours, currency }: { hours: number; currency: Currency }) {
  const values = countryIds.flatMap((id) => {
    const services = [...index.pairsOfCountry(id).values()].flatMap(({ serviceCode, periods }) => {
      const period = periods.get(hours)
      if (period === undefined) return []
      return [[serviceCode, { cost: amountNumber(period.prices[currency]), count: period.count }] as const]
    })
    return services.length === 0 ? [] : [[id, Object.fromEntries(services)] as const]
  })
  return { status: 'success', values: Object.fromEntries(values), currency: CURRENCY_NUMBERS[currency] }
}

/** Replies like HeroSMS for one service: `{country: {hours: {count, price, retail_price}}}`, if in stock. */
export const serviceCountRent = rentAction({
  scope: 'read',
  parameters: z.object({ service: serviceCode.default(FULL_NUMBER), country: countryFilter }),
  refusals: { country: 'BAD_COUNTRY' },
  handle(ctx, { currency }, { service, country }) {
    const catalog = catalogOf(ctx)
    const rentCatalog = rentCatalogOf(ctx)
    if (!catalog.services.has(service)) return rentError('BAD_SERVICE')
    if (country !== undefined && !catalog.countries.has(country)) return rentError('BAD_COUNTRY')
    const pairs = [...rentCatalog.pairsOfService(service).values()]
    const wanted = country === undefined ? pairs : pairs.filter(({ countryId }) => countryId === country)
    const values = wanted.map(({ countryId, periods }) => {
      const rows = [...periods].map(([hours, { prices, count }]) => {
        const price = amountNumber(prices[currency])
        return [hours, { count, price, retail_price: price }] as const
      })
      return [countryId, Object.fromEntries(rows)] as const
    })
    return json(Object.fromEntries(values))
  },
})
