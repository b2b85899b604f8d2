import { z } from 'zod'
import type { Context } from '#server/context.ts'
import { extendRental } from '#server/numbers/rentals/extend.ts'
import { findRentalByKey } from '#server/numbers/rentals/queries/read.ts'
import type { RentalRow } from '#server/numbers/rentals/queries/row.ts'
import { rentNumber } from '#server/numbers/rentals/rent.ts'
import { buyInOneOf, cheapestRentCountries, countriesOf } from '../buying/any-country.ts'
import { countryOrAny } from '../parameters/country.ts'
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
    const { userId } = member
    const key = wanted.orderId === undefined ? undefined : orderKey(wanted.orderId)
    const kind = { serviceCode: service, currency: member.currency, hours }
    const earlier = key === undefined ? null : await findRentalByKey(ctx.db, { userId, key })
    const countries = await countriesOf(country, {
      findEarlier: async () => earlier,
      cheapest: () => cheapestRentCountries(ctx, kind),
    })
    const rental = await buyInOneOf(countries, (countryId) =>
      rentNumber(ctx, {
        ...{ ...kind, userId, countryId },
        operator: operatorBefore(wanted, earlier) ?? chooseOperator(ctx, { ...wanted, country: countryId, hours }),
        shownPriceMicros: wanted.maxPrice,
        idempotencyKey: key,
        ...{ apiKeyId: member.key?.id ?? null, channel: 'handler_api' },
      }),
    )
    return rentedAnswer(ctx, rental, dialect)
  },
})

/** That of the order of the same name, if it is among those named: it may be sold no more. */
function operatorBefore({ operator: named }: { operator: string[] }, earlier: RentalRow | null): string | null {
  const before = earlier?.operator_wanted ?? null
  return before !== null && named.includes(before.toLowerCase()) ? before : null
}

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
