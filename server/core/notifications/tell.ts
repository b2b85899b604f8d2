import { z } from 'zod'
import { DEFAULT_LIVE_LOCALE } from '#contract/constants.ts'
import { userChannel } from '#contract/live-events.ts'
import { DAY, MINUTE } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Context } from '#server/house/context.ts'
import { isAtPage } from '#server/house/news/follow-pages.ts'
import { tellUser } from '#server/house/news/tell.ts'
import { queuePush } from './push/queue-push.ts'
import { countUnread } from './queries/bell.ts'
import { queueForChat } from './queries/telegram-job.ts'
import { findToldRow, queueFollowing, type ToldRow } from './queries/telling.ts'
import { toRecord } from './record.ts'
import { wordsOf } from './words/words-of.ts'

const payloadSchema = z.object({ id: z.string().regex(/^\d{1,19}$/) })
/** The wait before the mail, in which a user with an open page reads the notification. */
export const MAIL_AFTER_MS = 2 * MINUTE
/** The wait before the chat message, which comes before the mail and makes the mail unnecessary. */
const CHAT_AFTER_MS = MINUTE
const PUSH_LIFETIME_MS = DAY

/**
 * Job that delivers a notification by the channels of its user: open pages, mail, Telegram and push. The job is queued
 * in the transaction that created the notification.
 */
export async function tellNotification(ctx: Context, payload: unknown): Promise<void> {
  const id = readJob(payload)
  const row = await findToldRow(ctx.db, id)
  if (row === null || row.is_blocked) return
  // Security messages go out even if read, because an intruder with an open page could read them before the owner.
  const isUrgent = row.category === 'security'
  // A notification of the reader's own act is created as read, so it appears in the list and is delivered nowhere else.
  if (!isUrgent && row.read_at?.getTime() === row.created_at.getTime()) return announce(ctx, row)
  if (row.read_at !== null && !isUrgent) return
  const isSeen = !isUrgent && (await isAtPage(ctx, row.user_id))
  if (row.channels.includes('mail')) await queueFollowing(ctx.db, { id, mailAfterMs: MAIL_AFTER_MS })
  if (row.channels.includes('telegram')) {
    const afterMs = isSeen && row.channels.includes('site') ? CHAT_AFTER_MS : 0
    await queueForChat(ctx.db, { id, userId: row.user_id, afterMs })
  }
  if (row.channels.includes('push') && !isSeen) await push(ctx, row, isUrgent ? undefined : id)
  // Publishing comes last, because a repeat of the job would notify the tabs twice.
  if (row.read_at === null) await announce(ctx, row)
}

export function readJob(payload: unknown): string {
  return payloadSchema.parse(payload).id
}

/**
 * Queues a push. `unlessRead` is the id of the notification if the push is pointless once the notification was read.
 */
function push(ctx: Context, row: ToldRow, unlessRead: string | undefined): Promise<void> {
  return queuePush(ctx, {
    userId: row.user_id,
    ...(unlessRead !== undefined && { notificationId: unlessRead }),
    until: new Date(row.created_at.getTime() + PUSH_LIFETIME_MS),
    contentIn(locale) {
      const { title, text: body } = wordsOf(catalogOf(ctx), row, locale)
      return { title, body, url: row.link ?? '/', tag: `notification-${row.id}` }
    },
  })
}

async function announce(ctx: Context, row: ToldRow): Promise<void> {
  if (row.channels.includes('site')) tellUser(ctx, row.user_id, { kind: 'notification', id: row.id.toString() })
  await publish(ctx, row)
}

/** Shows a notification to the tabs of this node alone. */
export async function showNotification(ctx: Context, id: string): Promise<void> {
  const row = await findToldRow(ctx.db, id)
  if (row !== null) await publish(ctx, row)
}

/** Publishes a notification to each session with its own unread count, because a session's own acts count as read. */
async function publish(ctx: Context, row: ToldRow): Promise<void> {
  const channel = userChannel(row.user_id)
  if (!row.channels.includes('site') || !ctx.realtime.hasListeners(channel)) return
  const counts = await countUnread(ctx.db, row.user_id, ctx.realtime.sessionsOf(channel))
  const words = { ru: wordsOf(catalogOf(ctx), row, 'ru'), en: wordsOf(catalogOf(ctx), row, 'en') }
  ctx.realtime.publishBySession(channel, 'NewUserNotification', (session) => {
    const count = counts.get(session)
    // A tab that connected after the query reads the count of notifications itself.
    if (count === undefined) return null
    const record = toRecord(ctx, row, { locale: DEFAULT_LIVE_LOCALE, session })
    return { ...record, isSocket: true, notifications_count: count, words }
  })
}
