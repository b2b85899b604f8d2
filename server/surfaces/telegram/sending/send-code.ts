import { z } from 'zod'
import { formatPhone } from '#contract/formats/phone-format.ts'
import { MINUTE } from '#contract/time.ts'
import { kindRecord } from '#server/core/numbers/listing/kind-record.ts'
import { telegramOf } from '#server/house/bot/bot.ts'
import type { Context } from '#server/house/context.ts'
import { html } from '#server/surfaces/telegram/html.ts'
import { deliver } from './deliver.ts'
import { keyboardOf } from './keyboard.ts'
import { type CodeRow, findUnsentCode, markCodeSent, queueLater } from './queries.ts'

const payloadSchema = z.object({ messageId: z.string().regex(/^\d{1,19}$/), userId: z.number().int() })
/** The time for which a code is useful. A code that arrives later only confuses. */
const USEFUL_MS = 20 * MINUTE
/** The maximum length of a sent SMS. Telegram allows 4096 characters and counts an escaped character as one. */
const MAX_BODY_LENGTH = 3_000

export async function sendCode(ctx: Context, payload: unknown): Promise<void> {
  const bot = telegramOf(ctx).bot
  const of = payloadSchema.parse(payload)
  const row = bot === null ? null : await findUnsentCode(ctx.db, of)
  if (bot === null || row === null) return
  if (ctx.clock.now().getTime() - row.received_at.getTime() > USEFUL_MS) return
  const { activation_id: id, state, locale } = row
  const keyboard = id === null || state === null ? null : keyboardOf({ id, state }, locale)
  await deliver(ctx, bot, {
    lane: 'code',
    key: of.messageId,
    message: { chatId: row.telegram_id, html: wordsOfCode(ctx, row), ...(keyboard !== null && { keyboard }) },
    claim: () => markCodeSent(ctx.db, { ...of, sentAt: ctx.clock.now() }),
    release: async () => {
      await markCodeSent(ctx.db, { ...of, sentAt: null })
    },
    later: (afterMs) => queueLater(ctx.db, { task: 'telegram-code', payload: of, userId: of.userId, afterMs }),
  })
}

/** Writes the message. The tag `code` lets the reader copy the code by touching it. */
function wordsOfCode(ctx: Context, row: CodeRow): string {
  const { service, country } = kindRecord(ctx, row, row.locale)
  const head =
    row.code === null ? `<b>${html(service.name)}</b>` : `<b>${html(service.name)}</b>: <code>${html(row.code)}</code>`
  return [
    head,
    html(formatPhone(row.phone, country.dial)),
    html(row.body.slice(0, MAX_BODY_LENGTH).toWellFormed()),
  ].join('\n')
}
