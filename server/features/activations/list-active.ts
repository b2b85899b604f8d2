import type { ActiveNumbers } from '#contract/activation.ts'
import type { Context } from '#server/context.ts'
import { listPauses } from '#server/features/limits/list-pauses.ts'
import { searchNumbers } from '#server/features/numbers/search-numbers.ts'
import type { Caller, Member } from '#server/http/caller.ts'
import { listActive } from './queries/read.ts'
import { toRecords } from './record.ts'

/** One page of the caller's active numbers. `search` finds digits of the phone, or services and countries by name. */
export async function listActiveNumbers(
  ctx: Context,
  caller: Caller & { member: Member },
  filter: {
    search?: string | undefined
    page: number
    per_page: number
    services_ids?: string[] | undefined
    countries_ids?: number[] | undefined
    sort: 'newest' | 'oldest' | 'expiring'
  },
): Promise<ActiveNumbers> {
  const { userId } = caller.member
  const [{ rows, total, totalCount }, antifraud] = await Promise.all([
    listActive(ctx.db, {
      userId,
      search: searchNumbers(ctx, filter.search),
      serviceCodes: filter.services_ids ?? null,
      countryIds: filter.countries_ids ?? null,
      sort: filter.sort,
      limit: filter.per_page,
      offset: (filter.page - 1) * filter.per_page,
    }),
    listPauses(ctx, userId),
  ])
  return {
    status: true,
    numbers: {
      data: await toRecords(ctx, rows, caller.locale),
      meta: { last_page: Math.max(1, Math.ceil(total / filter.per_page)), total },
    },
    antifraud,
    total_count: totalCount,
  }
}
