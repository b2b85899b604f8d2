import { catalog, directory } from '#contract/calls/catalog-calls.ts'
import { type Call, cachedRoute, route } from '#server/house/http/call.ts'
import { requireOpen } from '#server/house/http/closed-pages.ts'
import { getDirectoryPage } from './directory-page.ts'
import { listDirectory, listOperators } from './list-directory.ts'
import { preparePriceFile } from './price-file.ts'
import { listPrices } from './price-list.ts'

const PAGE_OF = { services: 'service', countries: 'country' } as const

export const directoryCalls: Call[] = [
  route(directory.operators, async (ctx, caller, filter) => listOperators(ctx, caller, filter)),
  route(directory.list, async (ctx, caller, filter) => listDirectory(ctx, caller, filter)),
  route(directory.page, async (ctx, caller, wanted) => {
    requireOpen(ctx, caller, PAGE_OF[wanted.kind])
    return getDirectoryPage(ctx, caller, wanted)
  }),
  route(catalog.priceList, async (ctx, caller, filter) => listPrices(ctx, caller, filter)),
  cachedRoute(catalog.priceListFile, preparePriceFile),
]
