import { DEFAULT_RENT_PERIOD_HOURS } from '#contract/constants.ts'
import type { Currency } from '#contract/money.ts'
import { FULL_NUMBER } from '#contract/rental.ts'
import type { FavoriteMode } from '#server/core/catalog/favorites/queries.ts'
import { type CatalogIndex, catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { type Measured, measurePair, measurePairs } from '#server/core/catalog/offers/measured.ts'
import { measureRentPair, measureRentPairs } from '#server/core/catalog/offers/measured-rent.ts'
import type { ServiceRow } from '#server/core/catalog/offers/queries.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import type { Context } from '#server/house/context.ts'

export type ListSource = {
  mode: FavoriteMode
  index: { readonly version: number }
  /** The source's name. It is part of cache keys, because several sources may use one catalogue. */
  name: string
  services(): Iterable<ServiceRow>
  measureService(wanted: { serviceCode: string; countryId: number | undefined; currency: Currency }): Measured
  measureCountry(wanted: { countryId: number; serviceCode: string | undefined; currency: Currency }): Measured
}

export function activationSource(ctx: Context): ListSource {
  const catalog = catalogOf(ctx)
  return {
    mode: 'activation',
    index: catalog,
    name: '',
    services: () => openServices(catalog),
    measureService: ({ serviceCode, countryId, currency }) =>
      countryId === undefined
        ? measurePairs(catalog, catalog.pairsOfService(serviceCode), currency)
        : measurePair(catalog.pair(serviceCode, countryId), currency),
    measureCountry: ({ countryId, serviceCode, currency }) =>
      serviceCode === undefined
        ? measurePairs(catalog, catalog.pairsOfCountry(countryId), currency)
        : measurePair(catalog.pair(serviceCode, countryId), currency),
  }
}

/**
 * Returns services to rent, priced for the whole period. Whole numbers (`full`) come first, as most buyers want one.
 */
export function rentSource(ctx: Context, period: number | undefined): ListSource {
  const catalog = catalogOf(ctx)
  const rentCatalog = rentCatalogOf(ctx)
  const hours = period ?? DEFAULT_RENT_PERIOD_HOURS
  return {
    mode: 'rent',
    index: rentCatalog,
    name: String(hours),
    *services() {
      const full = catalog.services.get(FULL_NUMBER)
      if (full?.blocked_at === null) yield full
      yield* openServices(catalog)
    },
    measureService: ({ serviceCode, countryId, currency }) =>
      countryId === undefined
        ? measureRentPairs(rentCatalog, rentCatalog.pairsOfService(serviceCode), { hours, currency })
        : measureRentPair(rentCatalog.pair(serviceCode, countryId), { hours, currency }),
    measureCountry: ({ countryId, serviceCode, currency }) =>
      serviceCode === undefined
        ? measureRentPairs(rentCatalog, rentCatalog.pairsOfCountry(countryId), { hours, currency })
        : measureRentPair(rentCatalog.pair(serviceCode, countryId), { hours, currency }),
  }
}

function* openServices(catalog: CatalogIndex): Iterable<ServiceRow> {
  for (const service of catalog.services.values()) {
    if (service.blocked_at === null && service.code !== FULL_NUMBER) yield service
  }
}
