import type { Locale } from '#contract/constants.ts'
import type { NotificationRecord } from '#contract/notifications/notification.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Context } from '#server/house/context.ts'
import type { NotificationRow } from './queries/bell.ts'
import { wordsOf } from './words/words-of.ts'

export function toRecord(
  ctx: Pick<Context, 'memory'>,
  row: NotificationRow,
  reader: { locale: Locale; session: string },
): NotificationRecord {
  const { category, kind, link } = row
  return {
    id: Number(row.id),
    category,
    kind,
    link,
    ...wordsOf(catalogOf(ctx), row, reader.locale),
    created_at: row.created_at.toISOString(),
    read: row.read_at !== null || row.by_session === reader.session,
  }
}
