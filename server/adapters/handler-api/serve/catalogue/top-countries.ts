import { z } from 'zod'
import { type Currency, toDecimal } from '#contract/money.ts'
import { slugsOf } from '#server/core/catalog/directory/slugs.ts'
import { successShare } from '#server/core/catalog/health/outcome-bounds.ts'
import { type CatalogIndex, catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Pair } from '#server/core/catalog/offers/price-offer.ts'
import { keyAction } from '../action.ts'
import { type Answer, amountNumber, json, readyJson, word } from '../answer.ts'
import { flag, serviceCode } from '../parameters/parameter-schemas.ts'
import { remembered } from './remember.ts'
import { percentOf, suppliersOf } from './write-prices.ts'

/** Lists countries under the keys "0", "1" …, most popular first, of one service or of each service. */
export const getTopCountriesByService = keyAction({
  scope: 'read',
  parameters: z.object({ service: serviceCode.optional(), freePrice: flag }),
  refusals: { service: word('BAD_SERVICE') },
  handle(ctx, { currency }, { service, freePrice }, dialect) {
    const catalog = catalogOf(ctx)
    const shown = { currency, freePrice }
    if (dialect.topCountries === 'slugs') return slugAnswer(catalog, service, currency)
    if (service === undefined) {
      const key = `top ${currency} ${freePrice}`
      return readyJson(remembered(catalog, key, () => JSON.stringify(topOfEvery(catalog, shown))))
    }
    return isSold(catalog, service) ? json(topCountries(catalog, service, shown)) : word('BAD_SERVICE')
  },
})

/** Replies like SMSBower: suppliers inside country slugs, the most popular country first. */
function slugAnswer(catalog: CatalogIndex, service: string | undefined, currency: Currency): Answer {
  if (service === undefined || !isSold(catalog, service)) return json({ error: 'BAD_SERVICE' })
  const { ofCountry } = slugsOf(catalog)
  const ranked = rankedPairs(catalog, service).map((pair) => {
    const suppliers = suppliersOf(pair, { currency }).flatMap(({ id, count, ladder: [lowest] }) =>
      lowest === undefined ? [] : [[id, { price: amountNumber(lowest[0]), count }] as const],
    )
    return [ofCountry.get(pair.countryId) ?? String(pair.countryId), Object.fromEntries(suppliers)] as const
  })
  return json(Object.fromEntries(ranked))
}

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
  const rows = rankedPairs(catalog, service).map((pair) => {
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

/** Lists a service's pairs with countries, most popular country first, which is the catalogue's order. */
function rankedPairs(catalog: CatalogIndex, service: string): Pair[] {
  const pairs = catalog.pairsOfService(service)
  return [...catalog.countries.keys()].map((id) => pairs.get(id)).filter((pair) => pair !== undefined)
}

const MAX_LENGTH = 100

/**
 * Lists a service's top countries. `share` is a country's share of the purchases, and `rate` the share of these that
 * got a code. `rate` is 0 after too few purchases.
 */
export const getListOfTopCountriesByService = keyAction({
  scope: 'read',
  parameters: z.object({
    service: serviceCode,
    length: z.coerce.number().int().min(1).max(MAX_LENGTH).catch(10),
    page: z.coerce.number().int().min(1).max(1_000).catch(1),
  }),
  refusals: { service: word('WRONG_SERVICE') },
  handle(ctx, _member, { service, length, page }) {
    const catalog = catalogOf(ctx)
    if (!isSold(catalog, service)) return word('WRONG_SERVICE')
    const pairs = rankedPairs(catalog, service)
    const all = pairs.reduce((sum, { outcomes }) => sum + outcomes.purchases, 0)
    const rows = pairs
      .toSorted((one, other) => other.outcomes.purchases - one.outcomes.purchases)
      .slice((page - 1) * length, page * length)
    return json(
      rows.map(({ countryId: country, outcomes }) => ({
        country,
        share: all === 0 ? 0 : (percentOf(outcomes.purchases / all) ?? 0),
        rate: percentOf(successShare(outcomes)) ?? 0,
      })),
    )
  },
})
