import type { ActiveNumbers } from '#contract/activation.ts'
import type { Context } from '#server/context.ts'
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
  const search = filter.search?.trim().toLowerCase() ?? ''
  const digits = search.replaceAll(/\D/g, '')
  const { rows, total, totalCount } = await listActive(ctx.db, {
    userId: caller.member.userId,
    search: search === '' ? null : searchIn(ctx, search, digits),
    serviceCodes: filter.services_ids ?? null,
    countryIds: filter.countries_ids ?? null,
    sort: filter.sort,
    limit: filter.per_page,
    offset: (filter.page - 1) * filter.per_page,
  })
  return {
    status: true,
    numbers: {
      data: await toRecords(ctx, rows, caller.locale),
      meta: { last_page: Math.max(1, Math.ceil(total / filter.per_page)), total },
    },
    antifraud: [],
    total_count: totalCount,
  }
}

/** What a search means in stored terms: part of a phone, codes of services and ids of countries with such a name. */
function searchIn(ctx: Context, search: string, digits: string) {
  const named = (row: { name_en: string; name_ru: string }) =>
    row.name_en.toLowerCase().includes(search) || row.name_ru.toLowerCase().includes(search)
  return {
    phonePart: digits === '' ? null : digits,
    serviceCodes: [...ctx.catalog.services.values()].filter(named).map((row) => row.code),
    countryIds: [...ctx.catalog.countries.values()].filter(named).map((row) => row.id),
  }
}
