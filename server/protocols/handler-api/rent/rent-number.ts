import { z } from 'zod'
import type { Context } from '#server/context.ts'
import { extendRental } from '#server/numbers/rentals/extend.ts'
import { rentNumber } from '#server/numbers/rentals/rent.ts'
import { buyInOneOf, cheapestRentCountries } from '../buying/any-country.ts'
import { ANY_COUNTRY, countryOrAny } from '../parameters/country.ts'
import { orderId, orderKey } from '../parameters/order-id.ts'
import { ceilingMicros, commaList, flag, serviceCode } from '../parameters/parameter-schemas.ts'
import { hoursParameters, periodOf } from './period.ts'
import { rentAction, rentError } from './rent-action.ts'
import { rentalId, rentedAnswer } from './rent-record.ts'

const ANY_OPERATOR = 'any'

/** `url` has no effect: nothing is posted for rentals. */
export const getRentNumber = rentAction({
  scope: 'buy',
  parameters: z.object({
    service: serviceCode,
    country: countryOrAny.default(0),
    operator: commaList,
    maxPrice: ceilingMicros.optional(),
    orderId: orderId.optional(),
    incomingCall: flag,
    ...hoursParameters,
  }),
  refusals: { service: 'BAD_SERVICE', country: 'BAD_COUNTRY', orderId: 'BAD_DATA' },
  async handle(ctx, member, wanted, dialect) {
    const hours = periodOf(wanted)
    if (typeof hours !== 'number') return hours
    // Calls are not sold.
    if (wanted.incomingCall) return rentError('NO_NUMBERS')
    const { service, country } = wanted
    const kind = { serviceCode: service, currency: member.currency, hours }
    const countries = country === ANY_COUNTRY ? cheapestRentCountries(ctx, kind) : [country]
    const rental = await buyInOneOf(countries, (countryId) =>
      rentNumber(ctx, {
        ...{ ...kind, userId: member.userId, countryId },
        operator: chooseOperator(ctx, { ...wanted, country: countryId, hours }),
        shownPriceMicros: wanted.maxPrice,
        idempotencyKey: wanted.orderId === undefined ? undefined : orderKey(wanted.orderId),
        ...{ apiKeyId: member.key?.id ?? null, channel: 'handler_api' },
      }),
    )
    return rentedAnswer(ctx, rental, dialect)
  },
})

/** The first listed operator with an offer of this length; null means any. */
function chooseOperator(
  ctx: Context,
  wanted: { service: string; country: number; operator: string[]; hours: number },
): string | null {
  const offers = ctx.rentCatalog.pair(wanted.service, wanted.country)?.offers ?? []
  for (const name of wanted.operator) {
    if (name === ANY_OPERATOR) return null
    const found = offers.find(({ operator, hours }) => operator.toLowerCase() === name && hours === wanted.hours)
    if (found !== undefined) return found.operator
  }
  return null
}

export const continueRentNumber = rentAction({
  scope: 'buy',
  parameters: z.object({
    id: rentalId,
    maxPrice: ceilingMicros.optional(),
    orderId: orderId.optional(),
    ...hoursParameters,
  }),
  refusals: { id: 'NO_ID_RENT', orderId: 'BAD_DATA' },
  words: { ACTIVATION_ENDED: 'RENT_DIE' },
  async handle(ctx, member, { id, maxPrice, orderId: name, ...given }, dialect) {
    const hours = periodOf(given)
    if (typeof hours !== 'number') return hours
    const rental = await extendRental(ctx, {
      rentalId: id,
      userId: member.userId,
      currency: member.currency,
      hours,
      shownPriceMicros: maxPrice,
      idempotencyKey: name === undefined ? undefined : orderKey(name),
      apiKeyId: member.key?.id ?? null,
    })
    return rentedAnswer(ctx, rental, dialect)
  },
})
