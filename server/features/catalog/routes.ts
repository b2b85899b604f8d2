import {
  countriesFilterSchema,
  countriesReplySchema,
  priceFilterSchema,
  priceReplySchema,
  servicesFilterSchema,
  servicesReplySchema,
} from '#contract/catalog.ts'
import { type Call, defineCall } from '#server/http/call.ts'
import { getPrice } from './get-price.ts'
import { listCountries } from './list-countries.ts'
import { listServices } from './list-services.ts'

export const catalogCalls: Call[] = [
  defineCall('GET /api/services', {
    auth: 'optional',
    input: servicesFilterSchema,
    reply: servicesReplySchema,
    handle: listServices,
  }),
  defineCall('GET /api/countries', {
    auth: 'optional',
    input: countriesFilterSchema,
    reply: countriesReplySchema,
    handle: listCountries,
  }),
  defineCall('GET /api/price', {
    auth: 'optional',
    input: priceFilterSchema,
    reply: priceReplySchema,
    handle: getPrice,
  }),
]
