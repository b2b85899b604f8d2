import type { Context } from '#server/context.ts'
import { maskAddress } from '#server/mail/mask-address.ts'
import type { Bot } from '#server/telegram/bot.ts'
import { finishLink } from '#server/telegram/chats/finish-link.ts'
import { type ChatOwner, findChatOwner, setClosed } from '#server/telegram/chats/queries.ts'
import { unlinkChat } from '#server/telegram/chats/unlink.ts'
import { listNumbers } from '#server/telegram/sending/list-numbers.ts'
import { reply } from '#server/telegram/sending/reply.ts'
import { telegramWords } from '#server/telegram/words/words-of.ts'
import type { Incoming } from './read-update.ts'

type Text = Incoming & { kind: 'text' }

const START = /^\/start(?:@\w+)?\s+([\w-]{20,64})\s*$/
const COMMAND = /^\/(\w+)/

export async function answerText(ctx: Context, bot: Bot, update: Text): Promise<void> {
  const { telegramId } = update
  // Whoever writes does not block the bot.
  await setClosed(ctx.db, { telegramId, closedAt: null })
  const token = START.exec(update.text)?.[1]
  const before = await findChatOwner(ctx.db, telegramId)
  const html = token === undefined ? null : await link(ctx, { ...update, token }, before)
  if (html !== null) return reply(ctx, bot, { chatId: BigInt(telegramId), html })
  if (before === null)
    return reply(ctx, bot, { chatId: BigInt(telegramId), html: wordsFor(update, null).stranger(ctx) })
  await answerOwner(ctx, bot, { update, owner: before })
}

async function link(ctx: Context, chat: Text & { token: string }, before: ChatOwner | null): Promise<string> {
  const linked = await finishLink(ctx, chat)
  const words = wordsFor(chat, before)
  switch (linked.outcome) {
    case 'linked':
      return words.linked(masked(linked.email))
    case 'taken':
      return words.taken(masked(before?.email ?? null))
    case 'expired':
      // The same press once more.
      return before === null ? words.expired(ctx) : words.linked(masked(before.email))
    default:
      return linked satisfies never
  }
}

async function answerOwner(
  ctx: Context,
  bot: Bot,
  { update, owner }: { update: Text; owner: ChatOwner },
): Promise<void> {
  const words = wordsFor(update, owner)
  const chatId = BigInt(update.telegramId)
  switch (COMMAND.exec(update.text)?.[1]) {
    case 'stop':
      await unlinkChat(ctx, owner.user_id)
      return reply(ctx, bot, { chatId, html: words.stopped(ctx) })
    case 'numbers':
      return listNumbers(ctx, bot, owner)
    case 'start':
      return reply(ctx, bot, { chatId, html: words.linked(masked(owner.email)) })
    default:
      return reply(ctx, bot, { chatId, html: words.help })
  }
}

function wordsFor(update: Text, owner: ChatOwner | null) {
  return telegramWords(owner?.locale ?? update.locale)
}

function masked(email: string | null): string | null {
  return email === null ? null : maskAddress(email)
}
