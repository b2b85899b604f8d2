import type { Locale } from '#contract/constants.ts'
import type { SiteSettings } from '#contract/user.ts'
import type { Context } from '#server/house/context.ts'
import { perContext } from '#server/house/memory.ts'
import { listNotices, type Notice } from './queries.ts'

const noticesOf = perContext(
  'notices',
  { scope: 'process', nodes: 'told', lost: 'nothing: they are read from the tables' },
  (): { list: readonly Notice[] } => ({ list: [] }),
)

/**
 * Caches the notices to visitors in memory, because every page shows them. A change by the command line appears within
 * seconds.
 */
export async function loadNotices(ctx: Context): Promise<void> {
  noticesOf(ctx).list = await listNotices(ctx.db, ctx.clock.now())
}

export function shownNotices(ctx: Context, locale: Locale): SiteSettings['alerts'] {
  const now = ctx.clock.now()
  return noticesOf(ctx).list.flatMap(({ name, version, kind, texts, beginsAt, endsAt }) => {
    const text = texts[locale]
    const isNow = beginsAt <= now && (endsAt === null || endsAt > now)
    return isNow && text !== undefined ? [{ id: `${name}-${version}`, type: kind, text }] : []
  })
}

export function flashOf(ctx: Context, locale: Locale): string {
  return shownNotices(ctx, locale)
    .map(({ text }) => text)
    .join('\n')
}
