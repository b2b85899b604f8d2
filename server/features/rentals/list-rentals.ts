import type { ActiveRentNumbers } from '#contract/rental.ts'
import type { Context } from '#server/context.ts'
import { listPauses } from '#server/features/limits/list-pauses.ts'
import { searchNumbers } from '#server/features/numbers/search-numbers.ts'
import type { Caller, Member } from '#server/http/caller.ts'
import { listRentals } from './queries/read.ts'
import { toRentalRecords } from './record.ts'

/** One page of the caller's active rentals, or of those that are over. `search` as in the list of activations. */
export async function listRentNumbers(
  ctx: Context,
  caller: Caller & { member: Member },
  filter: {
    search?: string | undefined
    page: number
    per_page: number
    services_ids?: string[] | undefined
    countries_ids?: number[] | undefined
    sort: 'newest' | 'oldest' | 'expiring'
    ended?: '1' | undefined
  },
): Promise<ActiveRentNumbers> {
  const { userId } = caller.member
  const { rows, total, totalCount } = await listRentals(ctx.db, {
    userId,
    search: searchNumbers(ctx, filter.search),
    serviceCodes: filter.services_ids ?? null,
    countryIds: filter.countries_ids ?? null,
    list: filter.ended === '1' ? 'ended' : filter.sort,
    limit: filter.per_page,
    offset: (filter.page - 1) * filter.per_page,
  })
  return {
    status: true,
    numbers: {
      data: await toRentalRecords(ctx, rows, caller.locale),
      meta: { last_page: Math.max(1, Math.ceil(total / filter.per_page)), total },
    },
    antifraud: await listPauses(ctx, userId),
    total_count: totalCount,
  }
}
