import type { Currency } from '#contract/money.ts'
import { FULL_NUMBER } from '#contract/rental.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import type { Context } from '#server/house/context.ts'
import { amountText, word } from '../answer.ts'
import { type Given, guestCall } from '../call.ts'
import { HOSTING_PRODUCTS, hoursOf } from '../hosting.ts'
import { namesOf } from '../names.ts'
import { cachedReply } from './cached-reply.ts'
import { inSlices, WHOLE_CACHED_MS } from './reply-cache.ts'
import { operatorsOf, rentOperatorsOf, type SoldOperator } from './sold-operators.ts'

/** Replies `{country: {product: {operator: {cost, count, rate}}}}`. If only a product is given, it is the outer key. */
export const listPrices = guestCall(
  '/guest/prices',
  (ctx, given, { currency }) => {
    const [country, product] = [given.country?.toLowerCase(), given.product?.toLowerCase()]
    const names = namesOf(catalogOf(ctx))
    const countryId = country === undefined ? undefined : names.countryOf(country)
    if (country !== undefined && countryId === undefined) return word('country is incorrect')
    if (product !== undefined && names.serviceOf(product) === undefined && hoursOf(product) === undefined) {
      return word('product is incorrect')
    }
    const make = () => pricesOf(ctx, { currency, countryId, product })
    const cachedMs = isWhole(given) ? WHOLE_CACHED_MS : undefined
    return cachedReply(ctx, `prices ${currency} ${countryId ?? ''} ${product ?? ''}`, make, cachedMs)
  },
  isWhole,
)

function isWhole({ country, product }: Given): boolean {
  return country === undefined && product === undefined
}

type Wanted = { currency: Currency; countryId: number | undefined; product: string | undefined }

/** Writes the JSON as text, for speed and exact decimals. */
async function pricesOf(ctx: Context, { currency, countryId, product }: Wanted): Promise<string> {
  const names = namesOf(catalogOf(ctx))
  const places = countryId === undefined ? [...catalogOf(ctx).countries.keys()] : [countryId]
  const parts: (readonly [string, Entry[]])[] = []
  await inSlices(places, (id) => {
    const products = productsOf(ctx, id, { currency, product })
    if (products.length > 0) parts.push([names.slugOf(id), products])
  })
  if (product === undefined || countryId !== undefined) {
    return objectOf(parts.map(([slug, products]) => [slug, objectOf(products)]))
  }
  const inside = objectOf(
    parts.flatMap(([slug, products]) => products.map(([, operators]) => [slug, operators] as const)),
  )
  return inside === '{}' ? '{}' : objectOf([[product, inside]])
}

type Entry = readonly [name: string, json: string]

function productsOf(ctx: Context, id: number, { currency, product }: Pick<Wanted, 'currency' | 'product'>): Entry[] {
  const catalog = catalogOf(ctx)
  const rentCatalog = rentCatalogOf(ctx)
  const names = namesOf(catalog)
  const code = product === undefined ? undefined : names.serviceOf(product)
  const one = code === undefined ? undefined : catalog.pair(code, id)
  const pairs = product === undefined ? catalog.pairsOfCountry(id).values() : one === undefined ? [] : [one]
  const entries: Entry[] = []
  for (const pair of pairs) {
    if (pair.serviceCode === FULL_NUMBER) continue
    const operators = operatorsOf(catalog, pair, currency)
    if (operators.size > 0) entries.push([names.productOf(pair.serviceCode), pricesJson(operators)])
  }
  for (const hosting of HOSTING_PRODUCTS) {
    if (product !== undefined && product !== hosting.product) continue
    const which = { serviceCode: FULL_NUMBER, countryId: id, hours: hosting.hours }
    const operators = rentOperatorsOf(rentCatalog, which, currency)
    if (operators.size > 0) entries.push([hosting.product, pricesJson(operators)])
  }
  return entries
}

/** 5sim shows no success rate below this percentage. */
const LEAST_RATE = 20

function pricesJson(operators: ReadonlyMap<string, SoldOperator>): string {
  const entries = [...operators].map(([slug, { cost, count, share }]): Entry => {
    const rate = share === null ? 0 : Math.round(share * 10_000) / 100
    return [slug, `{"cost":${amountText(cost)},"count":${count}${rate < LEAST_RATE ? '' : `,"rate":${rate}`}}`]
  })
  return objectOf(entries)
}

function objectOf(entries: readonly Entry[]): string {
  return `{${entries.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`
}
