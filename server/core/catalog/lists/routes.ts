import { catalog } from '#contract/calls/catalog-calls.ts'
import { getPrice } from '#server/core/catalog/prices/get-price.ts'
import { type Call, keptRoute, route } from '#server/house/http/call.ts'
import { prepareCountries } from './list-countries.ts'
import { prepareServices } from './list-services.ts'

export const catalogCalls: Call[] = [
  keptRoute(catalog.services, prepareServices),
  keptRoute(catalog.countries, prepareCountries),
  route(catalog.price, getPrice),
]
