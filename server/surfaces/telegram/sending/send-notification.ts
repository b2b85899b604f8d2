import { DAY } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { findToldRow, queueFollowing, type ToldRow } from '#server/core/notifications/queries/telling.ts'
import { MAIL_AFTER_MS, readJob } from '#server/core/notifications/tell.ts'
import { wordsOf } from '#server/core/notifications/words/words-of.ts'
import { queueMailCheck } from '#server/core/support/queries/mails.ts'
import { telegramOf } from '#server/house/bot/bot.ts'
import type { Context } from '#server/house/context.ts'
import { findChatOfUser } from '#server/surfaces/telegram/chats/queries.ts'
import { html } from '#server/surfaces/telegram/html.ts'
import { deliver } from './deliver.ts'
import { markNotificationSent, queueLater } from './queries.ts'

const USEFUL_MS = DAY
/** The two events of which the bot itself tells the chat. */
const SEEN_THERE = new Set<string>(['telegram-linked', 'telegram-unlinked'])

/**
 * The job that sends a notification to the chat, if the member wants it there and has not read it. Security
 * notifications are sent even if they were read.
 */
export async function sendNotification(ctx: Context, payload: unknown): Promise<void> {
  const bot = telegramOf(ctx).bot
  const id = readJob(payload)
  const row = bot === null ? null : await findToldRow(ctx.db, id)
  if (bot === null || row === null || row.is_blocked || SEEN_THERE.has(row.kind)) return
  if (row.read_at !== null && row.category !== 'security') return
  if (!row.channels.includes('telegram') || ctx.clock.now().getTime() - row.created_at.getTime() > USEFUL_MS) return
  const chat = await findChatOfUser(ctx.db, row.user_id)
  // A notification that is older than the link of the chat is no news.
  if (chat === null || chat.closed_at !== null || row.created_at < chat.linked_at) return
  const { user_id: userId } = row
  const release = async () => {
    await markNotificationSent(ctx.db, { id, sentAt: null })
  }
  await deliver(ctx, bot, {
    lane: 'notice',
    key: id,
    message: { chatId: chat.telegram_id, html: words(ctx, row) },
    claim: () => markNotificationSent(ctx.db, { id, sentAt: ctx.clock.now() }),
    release,
    refused: async () => {
      await release()
      await mailInstead(ctx, row)
    },
    later: (afterMs) => queueLater(ctx.db, { task: 'telegram-notification', payload: { id }, userId, afterMs }),
  })
}

/** Queues the mail again, because the mail may have been skipped in favour of the chat. */
async function mailInstead(ctx: Context, row: ToldRow): Promise<void> {
  if (row.kind === 'ticket-answer') {
    const [, ticketId] = /^\/support\/(\d{1,18})$/.exec(row.link ?? '') ?? []
    if (ticketId !== undefined)
      await queueMailCheck(ctx.db, { ticketId: BigInt(ticketId), afterMs: 0, despiteChat: true })
    return
  }
  const quietMs = row.created_at.getTime() + MAIL_AFTER_MS - ctx.clock.now().getTime()
  await queueFollowing(ctx.db, { id: row.id.toString(), mailAfterMs: Math.min(Math.max(quietMs, 0), MAIL_AFTER_MS) })
}

function words(ctx: Context, row: ToldRow): string {
  const { title, text } = wordsOf(catalogOf(ctx), row, row.locale)
  const address = row.link === null ? [] : [new URL(row.link, ctx.config.publicUrl).href]
  return [`<b>${html(title)}</b>`, html(text), ...address.map(html)].join('\n')
}
