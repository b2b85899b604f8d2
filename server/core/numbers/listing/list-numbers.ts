import type { z } from 'zod'
import type { numbersFilterSchema } from '#contract/activation.ts'
import type { Locale } from '#contract/constants.ts'
import { listPauses } from '#server/core/numbers/limits/list-pauses.ts'
import type { Context } from '#server/house/context.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import type { Page, PageFilter } from './queries/page.ts'
import { searchNumbers } from './search-numbers.ts'

export type NumbersFilter = z.output<typeof numbersFilterSchema>

/** Lists a page of numbers. `search` matches digits of the phone, or names of services and countries. */
export async function listNumbers<Row, Item>(
  ctx: Context,
  caller: MemberCaller,
  filter: NumbersFilter,
  kind: {
    list(page: PageFilter): Promise<Page<Row>>
    toRecords(ctx: Context, rows: Row[], locale: Locale): Promise<Item[]>
  },
) {
  const { userId } = caller.member
  const [{ rows, total, totalCount }, antifraud] = await Promise.all([
    kind.list({
      userId,
      search: searchNumbers(ctx, filter.search),
      serviceCodes: filter.services_ids ?? null,
      countryIds: filter.countries_ids ?? null,
      limit: filter.per_page,
      offset: (filter.page - 1) * filter.per_page,
    }),
    listPauses(ctx, userId),
  ])
  return {
    status: true as const,
    numbers: {
      data: await kind.toRecords(ctx, rows, caller.locale),
      meta: { last_page: Math.max(1, Math.ceil(total / filter.per_page)), total },
    },
    antifraud,
    total_count: totalCount,
  }
}
