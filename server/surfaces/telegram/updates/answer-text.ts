import type { Bot } from '#server/house/bot/bot.ts'
import type { Context } from '#server/house/context.ts'
import { type ChatOwner, findChatOwner, setClosed } from '#server/surfaces/telegram/chats/queries.ts'
import { unlinkChat } from '#server/surfaces/telegram/chats/unlink.ts'
import { listNumbers } from '#server/surfaces/telegram/sending/list-numbers.ts'
import { reply } from '#server/surfaces/telegram/sending/reply.ts'
import { telegramWords } from '#server/surfaces/telegram/words/words-of.ts'
import { masked, offerLink } from './answer-link.ts'
import type { Incoming } from './read-update.ts'

type Text = Incoming & { kind: 'text' }

const START = /^\/start(?:@\w+)?\s+([\w-]{20,64})\s*$/
const COMMAND = /^\/(\w+)/

export async function answerText(ctx: Context, bot: Bot, update: Text): Promise<void> {
  const { telegramId } = update
  // A person who writes has not blocked the bot any more.
  await setClosed(ctx.db, { telegramId, closedAt: null })
  const token = START.exec(update.text)?.[1]
  const before = await findChatOwner(ctx.db, telegramId)
  if (token !== undefined) return offerLink(ctx, bot, { person: update, token, before })
  if (before === null)
    return reply(ctx, bot, { chatId: BigInt(telegramId), html: wordsFor(update, null).stranger(ctx) })
  await answerOwner(ctx, bot, { update, owner: before })
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
      await unlinkChat(ctx, owner.user_id, null)
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
