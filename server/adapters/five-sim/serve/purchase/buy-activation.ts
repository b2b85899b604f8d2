import { readFlag } from '#server/adapters/shared/parameters/read-flag.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { PricedOffer } from '#server/core/catalog/offers/price-offer.ts'
import { findByIdempotencyKey } from '#server/core/numbers/activations/queries/read.ts'
import { buyActivation } from '#server/core/numbers/purchase/buy.ts'
import type { Context } from '#server/house/context.ts'
import { ANY, operatorSlug } from '#server/house/seed/slugs.ts'
import { type Answer, json, word } from '../answer.ts'
import { type Buyer, buyCall, type Given } from '../call.ts'
import { namesOf } from '../names.ts'
import { hasOperator } from '../operators.ts'
import { orderRecord, orderTold } from '../orders/order-record.ts'
import { findMaxPrice } from '../queries/max-prices.ts'
import { type Chosen, ceilingOf, chosenBefore, type Place, pausedIn, readPlace } from './wanted.ts'

export const buyActivationNumber = buyCall(
  '/user/buy/activation/:country/:operator/:product',
  async (ctx, given, buyer) => {
    const place = readPlace(ctx, given)
    if (!('product' in place)) return place
    const serviceCode = namesOf(catalogOf(ctx)).serviceOf(place.product)
    if (serviceCode === undefined) return word('no product')
    // We sell neither call forwarding nor voice, and the buyer would pay for a number without them in vain.
    if (readFlag(given.forwarding) || readFlag(given.voice)) return word('no free phones')
    return buy(ctx, buyer, { place, serviceCode, given })
  },
)

type Wish = { place: Place; serviceCode: string; given: Given }

async function buy(ctx: Context, buyer: Buyer, { place, serviceCode, given }: Wish): Promise<Answer> {
  const { userId, currency, idempotencyKey: key } = buyer
  const earlier = key === undefined ? null : await findByIdempotencyKey(ctx.db, { userId, key })
  const chosen = chosenBefore(place, earlier) ?? (await choose(ctx, buyer, { place, serviceCode }))
  if (typeof chosen === 'string') return word(chosen)
  const own = place.operator === ANY ? await findMaxPrice(ctx.db, { userId, serviceCode }) : null
  const { activation, repeated } = await buyActivation(ctx, {
    userId,
    currency,
    serviceCode,
    ...chosen,
    maxPriceMicros: ceilingOf(given),
    standingMaxMicros: own ?? undefined,
    idempotencyKey: key,
    apiKeyId: buyer.key?.id ?? null,
    channel: 'five_sim',
  })
  const order = { kind: 'activation', row: activation } as const
  return json(repeated ? await orderTold(ctx, order, buyer) : orderRecord(ctx, order, null))
}

async function choose(
  ctx: Context,
  buyer: Buyer,
  { place: { country, operator }, serviceCode }: Omit<Wish, 'given'>,
): Promise<Chosen | 'no free phones' | 'bad operator'> {
  const countryId = country === ANY ? await cheapestOf(ctx, buyer, { serviceCode, operator }) : country
  if (countryId === undefined) return 'no free phones'
  if (operator === ANY) return { countryId, operator: null }
  const found = operatorOf(ctx, buyer, { serviceCode, countryId, operator })
  if (found === undefined) return hasOperator(ctx, [countryId], operator) ? 'no free phones' : 'bad operator'
  return { countryId, operator: found }
}

type Sought = { serviceCode: string; operator: string }

/** Returns the cheapest country for `any`, and at equal prices the more popular country. */
async function cheapestOf(
  ctx: Context,
  { userId, currency }: Buyer,
  { serviceCode, operator }: Sought,
): Promise<number | undefined> {
  const paused = await pausedIn(ctx, userId, serviceCode)
  const catalog = catalogOf(ctx)
  const pairs = catalog.pairsOfService(serviceCode)
  let best: { id: number; price: bigint } | undefined
  for (const id of catalog.countries.keys()) {
    if (paused.has(id)) continue
    const offers = pairs.get(id)?.offers.filter(isOf(operator)) ?? []
    for (const { prices } of offers)
      if (best === undefined || prices[currency] < best.price) best = { id, price: prices[currency] }
  }
  return best?.id
}

/** Returns the cheapest operator that is sold under this slug, or undefined if there is none. */
function operatorOf(
  ctx: Context,
  { currency }: Buyer,
  { serviceCode, countryId, operator }: Sought & { countryId: number },
): string | undefined {
  const catalog = catalogOf(ctx)
  const offers = catalog.pair(serviceCode, countryId)?.offers.filter(isOf(operator)) ?? []
  const [first, ...rest] = offers
  return rest.reduce((best, offer) => (best && offer.prices[currency] < best.prices[currency] ? offer : best), first)
    ?.operator
}

const isOf =
  (slug: string) =>
  ({ operator }: Pick<PricedOffer, 'operator'>) =>
    slug === ANY || operatorSlug(operator) === slug
