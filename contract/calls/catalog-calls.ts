import { z } from 'zod'
import {
  countriesFilterSchema,
  countriesReplySchema,
  priceFilterSchema,
  priceReplySchema,
  rentCountriesFilterSchema,
  rentServicesFilterSchema,
  servicesFilterSchema,
  servicesReplySchema,
} from '#contract/catalog.ts'
import {
  directoryFilterSchema,
  directoryPageReplySchema,
  directoryReplySchema,
  operatorsFilterSchema,
  operatorsReplySchema,
  priceListFileFilterSchema,
  priceListFilterSchema,
  priceListReplySchema,
  slugSchema,
} from '#contract/content.ts'
import { rentPriceFilterSchema, rentPriceReplySchema } from '#contract/rental.ts'
import { ANYBODY, type DeclaredCalls, SESSION } from './call.ts'

const favoriteSchema = z.object({
  id: z.union([z.string().min(1).max(40), z.number().int().min(0)]).transform(String),
  type: z.enum(['service', 'country']),
})
const favoriteReplySchema = z.object({ status: z.literal(true), favorites: z.number().int() })

export const catalog = {
  services: { key: 'GET /api/services', who: ANYBODY, input: servicesFilterSchema, reply: servicesReplySchema },
  countries: { key: 'GET /api/countries', who: ANYBODY, input: countriesFilterSchema, reply: countriesReplySchema },
  price: { key: 'GET /api/price', who: ANYBODY, input: priceFilterSchema, reply: priceReplySchema },
  rentServices: {
    key: 'GET /api/rent-services',
    who: ANYBODY,
    input: rentServicesFilterSchema,
    reply: servicesReplySchema,
  },
  rentCountries: {
    key: 'GET /api/rent-countries',
    who: ANYBODY,
    input: rentCountriesFilterSchema,
    reply: countriesReplySchema,
  },
  rentPrice: { key: 'GET /api/rent-price', who: ANYBODY, input: rentPriceFilterSchema, reply: rentPriceReplySchema },
  priceList: { key: 'GET /api/v1/price-list', who: ANYBODY, input: priceListFilterSchema, reply: priceListReplySchema },
  priceListFile: {
    key: 'GET /api/v1/price-list.csv',
    who: ANYBODY,
    input: priceListFileFilterSchema,
    reply: z.string(),
    contentType: 'text/csv; charset=utf-8',
  },
} as const satisfies DeclaredCalls

export const directory = {
  operators: {
    key: 'GET /api/v1/directory/operators',
    who: ANYBODY,
    input: operatorsFilterSchema,
    reply: operatorsReplySchema,
  },
  list: {
    key: 'GET /api/v1/directory/{kind}',
    who: ANYBODY,
    input: directoryFilterSchema,
    reply: directoryReplySchema,
  },
  page: {
    key: 'GET /api/v1/directory/{kind}/{slug}',
    who: ANYBODY,
    input: z.object({ kind: z.enum(['services', 'countries']), slug: slugSchema }),
    reply: directoryPageReplySchema,
  },
} as const satisfies DeclaredCalls

export const favorites = {
  addForActivation: {
    key: 'POST /api/activation/add-to-favorite',
    who: SESSION,
    input: favoriteSchema,
    reply: favoriteReplySchema,
  },
  removeForActivation: {
    key: 'DELETE /api/activation/remove-from-favorite/{type}/{id}',
    who: SESSION,
    input: favoriteSchema,
    reply: favoriteReplySchema,
  },
  addForRent: {
    key: 'POST /api/rent/add-to-favorite',
    who: SESSION,
    input: favoriteSchema,
    reply: favoriteReplySchema,
  },
  removeForRent: {
    key: 'DELETE /api/rent/remove-from-favorite/{type}/{id}',
    who: SESSION,
    input: favoriteSchema,
    reply: favoriteReplySchema,
  },
} as const satisfies DeclaredCalls
