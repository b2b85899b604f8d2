import type { Locale } from '#contract/constants.ts'
import { hashToken } from '#server/core/accounts/sessions/tokens.ts'
import type { Bot } from '#server/house/bot/bot.ts'
import type { Context } from '#server/house/context.ts'
import { maskAddress } from '#server/house/mail/mask-address.ts'
import { takeSlotNow } from '#server/surfaces/telegram/sending/pace.ts'
import { attempt, reply } from '#server/surfaces/telegram/sending/reply.ts'
import { telegramWords } from '#server/surfaces/telegram/words/words-of.ts'
import { finishLink } from '../chats/finish-link.ts'
import { linkPressOf, readLinkPress } from '../chats/link-press.ts'
import { type ChatOwner, findChatOwner, findLink } from '../chats/queries.ts'

type Person = { telegramId: number; name: string; locale: Locale }

const MAX_BUTTON_LENGTH = 60

/** Answers `/start TOKEN` with a question, so that a person lured to a link sees whose account it belongs to. */
export async function offerLink(
  ctx: Context,
  bot: Bot,
  { person, token, before }: { person: Person; token: string; before: ChatOwner | null },
): Promise<void> {
  const { telegramId } = person
  const chatId = BigInt(telegramId)
  const words = telegramWords(before?.locale ?? person.locale)
  const link = await findLink(ctx.db, { hash: hashToken(token), now: ctx.clock.now() })
  if (link === null) return reply(ctx, bot, { chatId, html: expired(ctx, person, before) })
  if (before !== null && before.user_id !== link.user_id)
    return reply(ctx, bot, { chatId, html: words.taken(masked(before.email)) })
  const email = masked(link.email)
  const text = words.connect.button(email)
  const label = text.length > MAX_BUTTON_LENGTH ? `${text.slice(0, MAX_BUTTON_LENGTH).toWellFormed()}…` : text
  const button = { text: label, callback_data: linkPressOf(ctx, { token, telegramId }) }
  await reply(ctx, bot, { chatId, html: words.connect.question(email), keyboard: { inline_keyboard: [[button]] } })
}

/** Links the chat when the question's button is pressed. A press repeated after a crash finds the chat linked. */
export async function answerLinkPress(
  ctx: Context,
  bot: Bot,
  press: Person & { pressId: string; messageId: number; data: string },
): Promise<void> {
  const { telegramId, messageId } = press
  const chatId = BigInt(telegramId)
  const before = await findChatOwner(ctx.db, telegramId)
  const html = await finish(ctx, press, before)
  await attempt(ctx, chatId, () => bot.answerPress(press.pressId, ''))
  await reply(ctx, bot, { chatId, html })
  if (await takeSlotNow(ctx, chatId))
    await attempt(ctx, chatId, () => bot.setKeyboard({ chatId, messageId, keyboard: null }))
}

async function finish(ctx: Context, press: Person & { data: string }, before: ChatOwner | null): Promise<string> {
  const token = readLinkPress(ctx, press)
  if (token === null) return expired(ctx, press, before)
  const linked = await finishLink(ctx, { ...press, token })
  const words = telegramWords(before?.locale ?? press.locale)
  switch (linked.outcome) {
    case 'linked':
      return words.linked(masked(linked.email))
    case 'taken':
      return words.taken(masked(before?.email ?? null))
    case 'expired':
      return expired(ctx, press, before)
    default:
      return linked satisfies never
  }
}

/** Answers a press with an expired token; if the chat is linked, the press was a repeat and no error. */
function expired(ctx: Context, { locale }: Person, before: ChatOwner | null): string {
  const words = telegramWords(before?.locale ?? locale)
  return before === null ? words.expired(ctx) : words.linked(masked(before.email))
}

export function masked(email: string | null): string | null {
  return email === null ? null : maskAddress(email)
}
