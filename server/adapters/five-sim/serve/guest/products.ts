import type { Currency } from '#contract/money.ts'
import { FULL_NUMBER } from '#contract/rental.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import type { Context } from '#server/house/context.ts'
import { ANY } from '#server/house/seed/slugs.ts'
import { amount, word } from '../answer.ts'
import { guestCall } from '../call.ts'
import { HOSTING_PRODUCTS } from '../hosting.ts'
import { namesOf } from '../names.ts'
import { hasOperator } from '../operators.ts'
import { cachedReply } from './cached-reply.ts'
import { operatorsByCountry } from './operators-by-country.ts'
import { inSlices, WHOLE_CACHED_MS } from './reply-cache.ts'
import { operatorsOf, rentOperatorsOf, type SoldOperator } from './sold-operators.ts'

/** Lists products. `any` in the path stands for every country or every operator. */
export const listProducts = guestCall('/guest/products/:country/:operator', async (ctx, given, { currency }) => {
  const country = given.country?.toLowerCase()
  const operator = given.operator?.toLowerCase()
  if (country === undefined) return word('select country')
  if (operator === undefined) return word('select operator')
  const countryId = country === ANY ? undefined : namesOf(catalogOf(ctx)).countryOf(country)
  if (country !== ANY && countryId === undefined) return word('bad country')
  const places = countryId === undefined ? [...catalogOf(ctx).countries.keys()] : [countryId]
  if (operator !== ANY) {
    const byCountry = await operatorsByCountry(ctx)
    const isSold = places.some((id) => byCountry.get(id)?.has(operator))
    if (!isSold && !hasOperator(ctx, places, operator)) return word('bad operator')
  }
  const make = async () => JSON.stringify(await productsOf(ctx, { currency, places, operator }))
  return cachedReply(
    ctx,
    `products ${currency} ${countryId ?? ANY} ${operator}`,
    make,
    countryId === undefined ? WHOLE_CACHED_MS : undefined,
  )
})

type Product = { category: 'activation' | 'hosting'; count: number; cost: bigint }
type Wanted = { currency: Currency; places: readonly number[]; operator: string }

async function productsOf(ctx: Context, { currency, places, operator }: Wanted) {
  const catalog = catalogOf(ctx)
  const rentCatalog = rentCatalogOf(ctx)
  const names = namesOf(catalog)
  const products = new Map<string, Product>()
  const note = (name: string, category: Product['category'], sold: ReadonlyMap<string, SoldOperator>) => {
    for (const [slug, { cost, count }] of sold) {
      if (operator !== ANY && slug !== operator) continue
      const had = products.get(name) ?? { category, count: 0, cost }
      products.set(name, { category, count: had.count + count, cost: cost < had.cost ? cost : had.cost })
    }
  }
  await inSlices(places, (id) => {
    for (const { product, hours } of HOSTING_PRODUCTS) {
      const which = { serviceCode: FULL_NUMBER, countryId: id, hours }
      note(product, 'hosting', rentOperatorsOf(rentCatalog, which, currency))
    }
    for (const pair of catalog.pairsOfCountry(id).values()) {
      if (pair.serviceCode === FULL_NUMBER) continue
      note(names.productOf(pair.serviceCode), 'activation', operatorsOf(catalog, pair, currency))
    }
  })
  const shown = [...products].map(([name, { category, count, cost }]) => {
    return [name, { Category: category, Qty: count, Price: amount(cost) }] as const
  })
  return Object.fromEntries(shown)
}
