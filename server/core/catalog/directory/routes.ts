import { z } from 'zod'
import {
  directoryFilterSchema,
  directoryPageReplySchema,
  directoryReplySchema,
  operatorsFilterSchema,
  operatorsReplySchema,
  priceListFilterSchema,
  priceListReplySchema,
  slugSchema,
} from '#contract/content.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { requireOpen } from '#server/house/http/closed-pages.ts'
import { getDirectoryPage } from './directory-page.ts'
import { listDirectory, listOperators } from './list-directory.ts'
import { listPrices } from './price-list.ts'

const PAGE_OF = { services: 'service', countries: 'country' } as const

export const directoryCalls: Call[] = [
  defineCall('GET /api/v1/directory/operators', {
    auth: 'optional',
    input: operatorsFilterSchema,
    reply: operatorsReplySchema,
    handle: async (ctx, caller, filter) => listOperators(ctx, caller, filter),
  }),
  defineCall('GET /api/v1/directory/{kind}', {
    auth: 'optional',
    input: directoryFilterSchema,
    reply: directoryReplySchema,
    handle: async (ctx, caller, filter) => listDirectory(ctx, caller, filter),
  }),
  defineCall('GET /api/v1/directory/{kind}/{slug}', {
    auth: 'optional',
    input: z.object({ kind: z.enum(['services', 'countries']), slug: slugSchema }),
    reply: directoryPageReplySchema,
    async handle(ctx, caller, wanted) {
      requireOpen(ctx, caller, PAGE_OF[wanted.kind])
      return getDirectoryPage(ctx, caller, wanted)
    },
  }),
  defineCall('GET /api/v1/price-list', {
    auth: 'optional',
    input: priceListFilterSchema,
    reply: priceListReplySchema,
    handle: async (ctx, caller, filter) => listPrices(ctx, caller, filter),
  }),
]
