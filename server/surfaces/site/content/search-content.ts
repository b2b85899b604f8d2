import type { ContentSearchReply } from '#contract/content.ts'
import { countryItem, serviceItem } from '#server/core/catalog/directory/items.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { closedPagesOf } from '#server/house/http/closed-pages.ts'
import { readBehind } from '#server/house/replica/read-behind.ts'
import { searchTexts } from './queries.ts'
import { readSearch } from './read-search.ts'

/** Searches the texts. Articles are left out if the blog is closed to this caller. */
export async function searchContent(
  ctx: Context,
  caller: Caller,
  filter: { search: string; kind?: 'article' | 'answer' | undefined; page: number; per_page: number },
): Promise<ContentSearchReply> {
  const closed = closedPagesOf(ctx, caller)
  const blogIsClosed = closed.includes('blog')
  if (blogIsClosed && filter.kind === 'article') throw notFound()
  const { meant, services, countries } = await readSearch(ctx, caller.locale, filter.search)
  const wanted = {
    locale: caller.locale,
    meant,
    kind: filter.kind ?? (blogIsClosed ? 'answer' : null),
    limit: filter.per_page,
    offset: (filter.page - 1) * filter.per_page,
  } as const
  const rows = await readBehind(ctx, caller, (db) => searchTexts(db, wanted))
  const total = Number(rows[0]?.total ?? 0n)
  return {
    status: true,
    data: rows.map(({ path, kind, title, excerpt }) => ({ path, kind, title, excerpt })),
    named: {
      services: closed.includes('service') ? [] : services.map((row) => serviceItem(ctx, caller, row)),
      countries: closed.includes('country') ? [] : countries.map((row) => countryItem(ctx, caller, row)),
    },
    meta: { last_page: Math.max(1, Math.ceil(total / filter.per_page)), total },
  }
}
