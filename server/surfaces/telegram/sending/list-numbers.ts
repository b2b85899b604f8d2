import { formatPhone } from '#contract/formats/phone-format.ts'
import { kindRecord } from '#server/core/numbers/listing/kind-record.ts'
import type { Bot } from '#server/house/bot/bot.ts'
import type { Context } from '#server/house/context.ts'
import type { ChatOwner } from '#server/surfaces/telegram/chats/queries.ts'
import { html } from '#server/surfaces/telegram/html.ts'
import { telegramWords } from '#server/surfaces/telegram/words/words-of.ts'
import { keyboardOf } from './keyboard.ts'
import { listOpenNumbers } from './queries.ts'
import { reply } from './reply.ts'

/** The maximum number of listed numbers, each a message. A chat accepts about one message a second. */
const MOST_LISTED = 5

/**
 * Sends the list of the user's open activations to the chat. Shows codes only in chats whose owner wants codes there.
 */
export async function listNumbers(ctx: Context, bot: Bot, owner: ChatOwner): Promise<void> {
  const { locale, telegram_id: chatId, user_id: userId } = owner
  const rows = owner.is_blocked ? [] : await listOpenNumbers(ctx.db, { userId, limit: MOST_LISTED })
  const words = telegramWords(locale)
  if (rows.length === 0) return reply(ctx, bot, { chatId, html: words.noNumbers })
  for (const row of rows) {
    const { service, country } = kindRecord(ctx, row, locale)
    const code = row.code === null ? words.waiting : owner.wants_codes ? `<code>${html(row.code)}</code>` : words.onSite
    const text = `<b>${html(service.name)}</b>: ${code}\n${html(formatPhone(row.phone, country.dial))}`
    const keyboard = keyboardOf(row, locale)
    await reply(ctx, bot, { chatId, html: text, ...(keyboard !== null && { keyboard }) })
  }
}
