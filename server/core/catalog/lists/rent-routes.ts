import { catalog } from '#contract/calls/catalog-calls.ts'
import { getRentPrice } from '#server/core/catalog/prices/get-rent-price.ts'
import { type Call, cachedRoute, route } from '#server/house/http/call.ts'
import { prepareCountries } from './list-countries.ts'
import { prepareServices } from './list-services.ts'
import { rentSource } from './list-source.ts'

export const rentCatalogCalls: Call[] = [
  cachedRoute(catalog.rentServices, (ctx, caller, filter) =>
    prepareServices(ctx, caller, filter, rentSource(ctx, filter.period)),
  ),
  cachedRoute(catalog.rentCountries, (ctx, caller, filter) =>
    prepareCountries(ctx, caller, filter, rentSource(ctx, filter.period)),
  ),
  route(catalog.rentPrice, getRentPrice),
]
