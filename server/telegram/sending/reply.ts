import type { Context } from '#server/context.ts'
import { type Bot, BotError, type Outgoing } from '#server/telegram/bot.ts'
import { setClosed } from '#server/telegram/chats/queries.ts'

/** An answer to somebody who has just written: one that cannot be sent is not repeated. */
export async function reply(ctx: Context, bot: Bot, message: Outgoing): Promise<void> {
  await attempt(ctx, message.chatId, () => bot.send(message))
}

/** What fails is logged, and 403 closes the chat. */
export async function attempt(ctx: Context, chatId: bigint, call: () => Promise<unknown>): Promise<void> {
  try {
    await call()
  } catch (error) {
    if (!(error instanceof BotError)) throw error
    await noteRefusal(ctx, chatId, error)
  }
}

export async function noteRefusal(ctx: Context, chatId: bigint, error: BotError): Promise<void> {
  const { failure } = error
  if (failure.kind === 'refused' && failure.status === 403) {
    await setClosed(ctx.db, { telegramId: Number(chatId), closedAt: ctx.clock.now() })
  } else ctx.log.warn({ error }, 'Telegram did not take a message')
}
