import {
  countriesFilterSchema,
  countriesReplySchema,
  priceFilterSchema,
  priceReplySchema,
  servicesFilterSchema,
  servicesReplySchema,
} from '#contract/catalog.ts'
import { getPrice } from '#server/core/catalog/prices/get-price.ts'
import { type Call, defineCall, defineKeptCall } from '#server/house/http/call.ts'
import { prepareCountries } from './list-countries.ts'
import { prepareServices } from './list-services.ts'

export const catalogCalls: Call[] = [
  defineKeptCall('GET /api/services', {
    auth: 'optional',
    input: servicesFilterSchema,
    reply: servicesReplySchema,
    prepare: prepareServices,
  }),
  defineKeptCall('GET /api/countries', {
    auth: 'optional',
    input: countriesFilterSchema,
    reply: countriesReplySchema,
    prepare: prepareCountries,
  }),
  defineCall('GET /api/price', {
    auth: 'optional',
    input: priceFilterSchema,
    reply: priceReplySchema,
    handle: getPrice,
  }),
]
