import { FULL_NUMBER } from '#contract/rental.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { type PricedRentOffer, rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import { rentNumber } from '#server/core/numbers/purchase/rent.ts'
import { findRentalByKey } from '#server/core/numbers/rentals/queries/read.ts'
import type { Context } from '#server/house/context.ts'
import { ANY, operatorSlug } from '#server/house/seed/slugs.ts'
import { json, word } from '../answer.ts'
import { type Buyer, buyCall } from '../call.ts'
import { hoursOf } from '../hosting.ts'
import { hasOperator } from '../operators.ts'
import { orderRecord, orderTold } from '../orders/order-record.ts'
import { ceilingOf, chosenBefore, pausedIn, readPlace } from './wanted.ts'

export const buyHosting = buyCall('/user/buy/hosting/:country/:operator/:product', async (ctx, given, buyer) => {
  const place = readPlace(ctx, given)
  if (!('product' in place)) return place
  const hours = hoursOf(place.product)
  if (hours === undefined) return word('no product')
  const { userId, currency, idempotencyKey: key } = buyer
  const earlier = key === undefined ? null : await findRentalByKey(ctx.db, { userId, key })
  const chosen = chosenBefore(place, earlier) ?? (await chooseOffer(ctx, buyer, { ...place, hours }))
  if (typeof chosen === 'string') return word(chosen)
  const row = await rentNumber(ctx, {
    userId,
    currency,
    serviceCode: FULL_NUMBER,
    hours,
    countryId: chosen.countryId,
    operator: place.operator === ANY ? null : chosen.operator,
    shownPriceMicros: ceilingOf(given),
    idempotencyKey: key,
    apiKeyId: buyer.key?.id ?? null,
    channel: 'five_sim',
  })
  const order = { kind: 'rental', row } as const
  return json(row.sms_count > 0 ? await orderTold(ctx, order, buyer) : orderRecord(ctx, order, null))
})

type Sought = { country: number | typeof ANY; operator: string; hours: number }

async function chooseOffer(
  ctx: Context,
  { userId, currency }: Buyer,
  { country, operator, hours }: Sought,
): Promise<PricedRentOffer | 'no free phones' | 'bad operator'> {
  const rentCatalog = rentCatalogOf(ctx)
  const catalog = catalogOf(ctx)
  const paused = country === ANY ? await pausedIn(ctx, userId, FULL_NUMBER) : null
  const places = country === ANY ? [...catalog.countries.keys()].filter((id) => paused?.has(id) !== true) : [country]
  const offers = places.flatMap((id) => rentCatalog.pair(FULL_NUMBER, id)?.offers ?? [])
  const named = operator === ANY ? offers : offers.filter((offer) => operatorSlug(offer.operator) === operator)
  if (named.length === 0 && offers.length > 0 && !hasOperator(ctx, places, operator)) return 'bad operator'
  const [first, ...rest] = named.filter((offer) => offer.hours === hours)
  if (first === undefined) return 'no free phones'
  return rest.reduce((best, offer) => (offer.prices[currency] < best.prices[currency] ? offer : best), first)
}
