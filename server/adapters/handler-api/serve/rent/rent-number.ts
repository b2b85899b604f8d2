import { z } from 'zod'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import { rentNumber } from '#server/core/numbers/purchase/rent.ts'
import { extendRental } from '#server/core/numbers/rentals/extend.ts'
import { findRentalByKey } from '#server/core/numbers/rentals/queries/read.ts'
import type { RentalRow } from '#server/core/numbers/rentals/queries/row.ts'
import type { Context } from '#server/house/context.ts'
import { buyInOneOf, cheapestRentCountries, countriesOf } from '../buying/any-country.ts'
import { chosenOperators } from '../buying/chosen-operators.ts'
import { countryOrAny } from '../parameters/country.ts'
import { orderId, orderKey } from '../parameters/order-id.ts'
import { ceilingMicros, commaList, flag, serviceCode } from '../parameters/parameter-schemas.ts'
import { hoursParameters, periodOf } from './period.ts'
import { rentAction, rentError } from './rent-action.ts'
import { rentalId, rentedAnswer } from './rent-record.ts'

/** Rents a number. The parameter `url` has no effect, because we post no messages of rentals to clients. */
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
    const places = countries.flatMap((countryId) => {
      const before = operatorBefore(wanted, earlier)
      const operators = before === null ? operatorsIn(ctx, { ...wanted, country: countryId, hours }) : [before]
      return operators.map((operator) => ({ countryId, operator }))
    })
    const rental = await buyInOneOf(places, (place) =>
      rentNumber(ctx, {
        ...kind,
        userId,
        ...place,
        shownPriceMicros: wanted.maxPrice,
        idempotencyKey: key,
        apiKeyId: member.key?.id ?? null,
        channel: 'handler_api',
      }),
    )
    return rentedAnswer(ctx, rental, dialect)
  },
})

/**
 * Returns the operator of an earlier order with the same name, even if sold out. Returns null if the request does not
 * name that operator.
 */
function operatorBefore({ operator: named }: { operator: string[] }, earlier: RentalRow | null): string | null {
  const before = earlier?.operator_wanted ?? null
  return before !== null && named.includes(before.toLowerCase()) ? before : null
}

function operatorsIn(
  ctx: Context,
  { service, country, operator, hours }: { service: string; country: number; operator: string[]; hours: number },
): (string | null)[] {
  const offers = rentCatalogOf(ctx).pair(service, country)?.offers ?? []
  return chosenOperators(
    operator,
    offers.filter((offer) => offer.hours === hours),
  )
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
