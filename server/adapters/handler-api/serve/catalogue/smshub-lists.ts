import { z } from 'zod'
import { ANY_OPERATOR } from '#contract/catalog.ts'
import { type Currency, toDecimal } from '#contract/money.ts'
import { FULL_NUMBER } from '#contract/rental.ts'
import { medianSeconds } from '#server/core/catalog/health/outcome-bounds.ts'
import { type CatalogIndex, catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Pair } from '#server/core/catalog/offers/price-offer.ts'
import { keyAction, publicAction } from '../action.ts'
import { amountNumber, json, readyJson, word } from '../answer.ts'
import { countryId } from '../parameters/parameter-schemas.ts'
import { operatorsOf } from './directory.ts'
import { remembered } from './remember.ts'
import { ladderOf } from './write-prices.ts'

/** Lists countries and operators for SMSHub's own page. Programs read service codes and country ids from this list. */
export const getListOfCountriesAndOperators = publicAction({
  parameters: z.object({}),
  handle: (ctx) => {
    const catalog = catalogOf(ctx)
    return readyJson(remembered(catalog, 'smshub', () => JSON.stringify(countriesAndOperators(catalog))))
  },
})

function countriesAndOperators(catalog: CatalogIndex) {
  const sold = [...catalog.services.values()].filter(({ blocked_at: at, code }) => at === null && code !== FULL_NUMBER)
  const { countryOperators } = operatorsOf(catalog, [...catalog.countries.keys()])
  return {
    status: 'success',
    services: Object.fromEntries(sold.map(({ code, name_en: name }) => [code, name])),
    data: [...catalog.countries.values()].map(({ id, name_en: name }) => ({
      name,
      id: String(id),
      operators: [ANY_OPERATOR, ...(countryOperators[id] ?? [])],
    })),
    currentCountry: null,
    currentOperator: null,
  }
}

const ofCountry = {
  parameters: z.object({ country: countryId.default(0) }),
  refusals: { country: word('BAD_COUNTRY') },
}

/** Replies `{"tg":{"priceMap":{"13.00":100},…}}` for one country. */
export const getNumbersStatusAndCostHubFree = keyAction({
  ...ofCountry,
  scope: 'read',
  handle(ctx, { currency }, { country }) {
    const catalog = catalogOf(ctx)
    if (!catalog.countries.has(country)) return word('BAD_COUNTRY')
    const pairs = [...catalog.pairsOfCountry(country).values()]
    return json(Object.fromEntries(pairs.map((pair) => [pair.serviceCode, hubOf(pair, currency)])))
  },
})

function hubOf({ prices, offers, count }: Pair, currency: Currency) {
  const lowest = amountNumber(prices[currency])
  return {
    priceMap: Object.fromEntries(ladderOf(offers, currency).map(([price, stock]) => [toDecimal(price), stock])),
    maxPrice: lowest,
    defaultPrice: lowest,
    defaultMaxPrice: true,
    random: true,
    quantityForMaxPrice: count,
    totalQuantity: count,
    canAuction: false,
    auctionMap: [],
    work: true,
  }
}

/** Serves an old action of SMS-Activate. `_0` in its reply means without call forwarding. */
export const getNumbersStatusAndMediumSmsTime = keyAction({
  ...ofCountry,
  scope: 'read',
  handle(ctx, { currency }, { country }) {
    const catalog = catalogOf(ctx)
    if (!catalog.countries.has(country)) return word('BAD_COUNTRY')
    const rows = [...catalog.pairsOfCountry(country).values()].map((pair) => {
      const seconds = medianSeconds(pair.outcomes)
      const row = { cost: amountNumber(pair.prices[currency]), quant: pair.count, med_time: seconds }
      return [`${pair.serviceCode}_0`, row] as const
    })
    return json(Object.fromEntries(rows))
  },
})
