import { z } from 'zod'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { findByIdempotencyKey } from '#server/core/numbers/activations/queries/read.ts'
import type { ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import { buyActivation } from '#server/core/numbers/purchase/buy.ts'
import type { Context } from '#server/house/context.ts'
import type { Member } from '#server/house/http/caller.ts'
import { keyAction } from '../action.ts'
import { type Answer, text, word } from '../answer.ts'
import { countryOrAny } from '../parameters/country.ts'
import { orderId, orderKey } from '../parameters/order-id.ts'
import { ceilingMicros, commaList, flag, serviceCode } from '../parameters/parameter-schemas.ts'
import { supplierFilter } from '../parameters/supplier-filter.ts'
import { buyInOneOf, cheapestCountries, countriesOf } from './any-country.ts'
import { findCeiling } from './ceilings/queries.ts'
import { chosenOperators } from './chosen-operators.ts'
import { numberReply } from './number-reply.ts'

/** A prefix of a phone number: a country code and 3 to 6 more digits. */
const EXCLUDED_PREFIX = /^\d{4,10}$/
const MAX_EXCLUDED_PREFIXES = 20
const SMS = '0'

/** Other parameters are ignored, because none can change the purchase (docs/api/handler_api.md). */
const purchaseParameters = z.object({
  service: serviceCode,
  country: countryOrAny.default(0),
  operator: commaList,
  maxPrice: ceilingMicros.optional(),
  /** DaisySMS and clients of SMSHub use this name for the maximum price. */
  max_price: ceilingMicros.optional(),
  phoneException: commaList.pipe(z.array(z.string().regex(EXCLUDED_PREFIX)).max(MAX_EXCLUDED_PREFIXES)),
  orderId: orderId.optional(),
  activationType: z.string().default(SMS),
  forward: flag,
  verification: flag,
  providerIds: commaList,
  exceptProviderIds: commaList,
  areas: commaList,
  carriers: commaList,
})
type Wanted = z.output<typeof purchaseParameters>

const refusals = {
  service: word('BAD_SERVICE'),
  country: word('BAD_COUNTRY'),
  phoneException: word('WRONG_EXCEPTION_PHONE'),
  orderId: word('BAD_DATA'),
}

/** Buys a number. The reply is `ACCESS_NUMBER:id:phone`. */
export const getNumber = keyAction({
  scope: 'buy',
  parameters: purchaseParameters,
  refusals,
  handle: (ctx, member, wanted) =>
    buyNumber(ctx, member, wanted, (row) => text(`ACCESS_NUMBER:${row.id}:${row.phone}`)),
})

export const getNumberV2 = keyAction({
  scope: 'buy',
  parameters: purchaseParameters,
  refusals,
  handle: (ctx, member, wanted, dialect) => buyNumber(ctx, member, wanted, (row) => numberReply(ctx, row, dialect)),
})

async function buyNumber(
  ctx: Context,
  member: Member,
  wanted: Wanted,
  toAnswer: (row: ActivationRow) => Answer,
): Promise<Answer> {
  if (isUnsold(wanted)) return word('NO_NUMBERS')
  const { userId, currency } = member
  const key = keyOf(wanted)
  const countries = await countriesOf(wanted.country, {
    findEarlier: async () => (key === undefined ? null : findByIdempotencyKey(ctx.db, { userId, key })),
    cheapest: () =>
      cheapestCountries(ctx, { serviceCode: wanted.service, currency, isSupplierWanted: supplierFilter(wanted) }),
  })
  const places = countries.flatMap((country) => placesIn(ctx, { ...wanted, country }))
  const { activation, repeated } = await buyInOneOf(places, (place) => buyIn(ctx, member, { ...wanted, ...place }))
  if (repeated) return word('ORDER_ALREADY_EXISTS')
  if (activation.phone === null) throw new Error('an activation was sold without a number')
  return toAnswer(activation)
}

type Place = { country: number; chosen: string | null }

async function buyIn(ctx: Context, member: Member, wanted: Wanted & Place) {
  const { service, country } = wanted
  const { key } = member
  const stored = key?.capped ? await findCeiling(ctx.db, { key: key.id, service, country }) : undefined
  return buyActivation(ctx, {
    userId: member.userId,
    currency: member.currency,
    serviceCode: service,
    countryId: country,
    operator: wanted.chosen,
    source: { from: 'offers', operatorFallback: true, isSupplierWanted: supplierFilter(wanted) },
    maxPriceMicros: lowestCeiling(wanted),
    standingMaxMicros: stored,
    excludedPrefixes: wanted.phoneException,
    idempotencyKey: keyOf(wanted),
    apiKeyId: key?.id ?? null,
    channel: 'handler_api',
  })
}

function keyOf({ orderId: name }: Wanted): string | undefined {
  return name === undefined ? undefined : orderKey(name)
}

function lowestCeiling({ maxPrice, max_price: other }: Wanted): bigint | undefined {
  if (maxPrice === undefined || other === undefined) return maxPrice ?? other
  return maxPrice < other ? maxPrice : other
}

/** Returns true if the caller wants voice calls, forwarding, areas or carriers, which plain numbers lack. */
function isUnsold(wanted: Wanted): boolean {
  const isChosen = [wanted.areas, wanted.carriers].some((list) => list.length > 0)
  return wanted.activationType !== SMS || wanted.forward || wanted.verification || isChosen
}

function placesIn(ctx: Context, wanted: Wanted & { country: number }): Place[] {
  const { service, country, operator: names } = wanted
  const isSupplierWanted = supplierFilter(wanted)
  const offers = catalogOf(ctx).pair(service, country)?.offers ?? []
  const sold = offers.filter(({ supplierId }) => isSupplierWanted?.(supplierId) !== false)
  return chosenOperators(names, sold).map((chosen) => ({ country, chosen }))
}
