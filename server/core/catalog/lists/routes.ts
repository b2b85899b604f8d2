import { catalog } from '#contract/calls/catalog-calls.ts'
import { getPrice } from '#server/core/catalog/prices/get-price.ts'
import { type Call, cachedRoute, route } from '#server/house/http/call.ts'
import { prepareCountries } from './list-countries.ts'
import { prepareServices } from './list-services.ts'

export const catalogCalls: Call[] = [
  cachedRoute(catalog.services, prepareServices),
  cachedRoute(catalog.countries, prepareCountries),
  route(catalog.price, getPrice),
]
