import {
  countriesReplySchema,
  rentCountriesFilterSchema,
  rentServicesFilterSchema,
  servicesReplySchema,
} from '#contract/catalog.ts'
import { rentPriceFilterSchema, rentPriceReplySchema } from '#contract/rental.ts'
import { getRentPrice } from '#server/core/catalog/prices/get-rent-price.ts'
import { type Call, defineCall, defineKeptCall } from '#server/house/http/call.ts'
import { prepareCountries } from './list-countries.ts'
import { prepareServices } from './list-services.ts'
import { rentSource } from './list-source.ts'

export const rentCatalogCalls: Call[] = [
  defineKeptCall('GET /api/rent-services', {
    auth: 'optional',
    input: rentServicesFilterSchema,
    reply: servicesReplySchema,
    prepare: (ctx, caller, filter) => prepareServices(ctx, caller, filter, rentSource(ctx, filter.period)),
  }),
  defineKeptCall('GET /api/rent-countries', {
    auth: 'optional',
    input: rentCountriesFilterSchema,
    reply: countriesReplySchema,
    prepare: (ctx, caller, filter) => prepareCountries(ctx, caller, filter, rentSource(ctx, filter.period)),
  }),
  defineCall('GET /api/rent-price', {
    auth: 'optional',
    input: rentPriceFilterSchema,
    reply: rentPriceReplySchema,
    handle: getRentPrice,
  }),
]
