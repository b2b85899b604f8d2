import type { Currency } from '#contract/money.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import type { Context } from '#server/house/context.ts'
import { badService, noNumbers } from '#server/house/errors/buying-errors.ts'
import { AppError } from '#server/house/errors/errors.ts'
import { ladderOf } from '../catalogue/write-prices.ts'
import { ANY_COUNTRY } from '../parameters/country.ts'
import type { SupplierFilter } from '../parameters/supplier-filter.ts'

/** The maximum number of countries or operators tried. Each attempt queries suppliers while the caller waits. */
const MAX_PLACES = 3

/**
 * Tries to buy in each country or operator of the list in turn. The next is tried only if the error concerns just the
 * current one. Throws the error of the first attempt.
 */
export async function buyInOneOf<Place, Bought>(
  places: readonly Place[],
  buyIn: (place: Place) => Promise<Bought>,
): Promise<Bought> {
  let first: AppError | null = null
  for (const place of places.slice(0, MAX_PLACES)) {
    try {
      return await buyIn(place)
    } catch (error) {
      if (!(error instanceof AppError) || !isOfPlace(error)) throw first ?? error
      first ??= error
    }
  }
  throw first ?? noNumbers()
}

function isOfPlace({ code }: AppError): boolean {
  return code === 'NO_NUMBERS' || code === 'PAIR_PAUSED'
}

type Earlier = { country_id: number; state: string } | null

/**
 * Returns the countries to try, in this order. For `any`, these are all countries, cheapest first. If an earlier order
 * has the same name, only its country is returned, to find that order again. While that order still reserves its
 * number, the other countries follow.
 */
export async function countriesOf(
  country: number | typeof ANY_COUNTRY,
  { findEarlier, cheapest }: { findEarlier(): Promise<Earlier>; cheapest(): number[] },
): Promise<number[]> {
  if (country !== ANY_COUNTRY) return [country]
  const earlier = await findEarlier()
  if (earlier === null) return cheapest()
  const { country_id: before, state } = earlier
  return state === 'reserving' ? [before, ...cheapest().filter((id) => id !== before)] : [before]
}

type Wanted = { serviceCode: string; currency: Currency }

/** Sorts countries by a service's price at the wanted suppliers. Throws BAD_SERVICE for an unknown service. */
export function cheapestCountries(
  ctx: Context,
  { serviceCode, currency, isSupplierWanted }: Wanted & { isSupplierWanted: SupplierFilter | undefined },
): number[] {
  requireService(ctx, serviceCode)
  const pairs = [...catalogOf(ctx).pairsOfService(serviceCode).values()]
  const sold = pairs.flatMap((pair) => {
    const { countryId, prices, count } = pair
    if (isSupplierWanted === undefined) return [{ countryId, price: prices[currency], count }]
    const offers = pair.offers.filter(({ supplierId }) => isSupplierWanted(supplierId))
    const [lowest] = ladderOf(offers, currency)
    return lowest === undefined ? [] : [{ countryId, price: lowest[0], count: lowest[1] }]
  })
  return byPrice(sold)
}

/** Sorts countries by the price of a rental of this length. Throws BAD_SERVICE for an unknown service. */
export function cheapestRentCountries(
  ctx: Context,
  { serviceCode, currency, hours }: Wanted & { hours: number },
): number[] {
  requireService(ctx, serviceCode)
  const pairs = [...rentCatalogOf(ctx).pairsOfService(serviceCode).values()]
  const sold = pairs.flatMap(({ countryId, periods }) => {
    const period = periods.get(hours)
    return period === undefined ? [] : [{ countryId, price: period.prices[currency], count: period.count }]
  })
  return byPrice(sold)
}

function requireService(ctx: Context, serviceCode: string): void {
  const service = catalogOf(ctx).services.get(serviceCode)
  if (service === undefined || service.blocked_at !== null) throw badService()
}

function byPrice(sold: readonly { countryId: number; price: bigint; count: number }[]): number[] {
  const sorted = sold.toSorted((a, b) => (a.price < b.price ? -1 : a.price > b.price ? 1 : b.count - a.count))
  return sorted.map(({ countryId }) => countryId)
}
