import { ANY_OPERATOR, type OperatorItem } from '#contract/catalog.ts'
import { DEFAULT_RENT_PERIOD_HOURS, RENT_PERIODS_HOURS } from '#contract/constants.ts'
import type { RentPriceFilter, RentPriceReply } from '#contract/rental.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { measureRentOffers } from '#server/core/catalog/offers/measured-rent.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import type { Context } from '#server/house/context.ts'
import type { Caller } from '#server/house/http/caller.ts'

/**
 * Returns the price of a rental, or no price if none is available. If the requested operator has no offers, returns the
 * price for any operator.
 */
export async function getRentPrice(ctx: Context, caller: Caller, wanted: RentPriceFilter): Promise<RentPriceReply> {
  const currency = caller.member?.currency ?? caller.zone.currency
  const service = catalogOf(ctx).services.get(wanted.service_id)
  const isSold = service !== undefined && service.blocked_at === null
  const hours = wanted.period ?? DEFAULT_RENT_PERIOD_HOURS
  const offers = (isSold && rentCatalogOf(ctx).pair(wanted.service_id, wanted.country_id)?.offers) || []
  const byOperator = new Map([[ANY_OPERATOR, offers], ...Map.groupBy(offers, (offer) => offer.operator)])
  const measure = (group: typeof offers, period: number) =>
    measureRentOffers(
      group.filter((offer) => offer.hours === period),
      currency,
    )
  const operators: OperatorItem[] = [...byOperator].map(([id, group]) => ({ id, name: id, ...measure(group, hours) }))
  const chosen = byOperator.get(wanted.operator_id ?? ANY_OPERATOR) ?? offers
  const { price, count } = measure(chosen, hours)
  const periods = RENT_PERIODS_HOURS.filter((period) => offers.some((offer) => offer.hours === period)).map(
    (period) => {
      const figures = measure(chosen, period)
      return { period, count: figures.count, price: figures.price }
    },
  )
  return { status: true, data: { operators, price, count, currency, periods } }
}
