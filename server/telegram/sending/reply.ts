import { z } from 'zod'
import { seal, unseal } from '#server/config/secret-key.ts'
import type { Context } from '#server/context.ts'
import { type Bot, BotError, type Outgoing } from '#server/telegram/bot.ts'
import { setClosed } from '#server/telegram/chats/queries.ts'
import { endTurn, noteLimit, takeTurn } from './pace.ts'
import { queueReply } from './queries.ts'

/** An answer to somebody who has just written, at once or when the chat takes more: one that cannot be sent is not repeated. */
export function reply(ctx: Context, bot: Bot, message: Outgoing): Promise<void> {
  return replyInTurn(ctx, bot, message, ctx.random.uuid())
}

async function replyInTurn(ctx: Context, bot: Bot, message: Outgoing, key: string): Promise<void> {
  const { chatId } = message
  const asker = { chatId, lane: 'reply' as const, key }
  const waitMs = takeTurn(ctx, bot, asker)
  if (waitMs === 0) {
    await attempt(ctx, bot, chatId, () => bot.send(message))
    return endTurn(bot, asker)
  }
  if (waitMs === null) return ctx.log.debug({}, 'a chat has too many answers waiting')
  const body = seal({ ...message, chatId: chatId.toString() }, ctx.secretKey, ctx.random)
  await queueReply(ctx.db, { payload: JSON.stringify({ body, key }), afterMs: waitMs })
}

const payloadSchema = z.object({ body: z.record(z.string(), z.unknown()), key: z.string().default('') })

/** The job of an answer that had to wait. */
export async function sendReply(ctx: Context, payload: unknown): Promise<void> {
  const bot = ctx.telegram
  if (bot === null) return
  const { body, key } = payloadSchema.parse(payload)
  const { value } = unseal(body, [ctx.secretKey, ...ctx.previousSecretKeys])
  // We sealed it above.
  const { chatId, ...message } = value as Omit<Outgoing, 'chatId'> & { chatId: string }
  await replyInTurn(ctx, bot, { ...message, chatId: BigInt(chatId) }, key)
}

/** What fails is logged, and 403 closes the chat. */
export async function attempt(ctx: Context, bot: Bot, chatId: bigint, call: () => Promise<unknown>): Promise<void> {
  try {
    await call()
  } catch (error) {
    if (!(error instanceof BotError)) throw error
    await noteRefusal(ctx, bot, chatId, error)
  }
}

export async function noteRefusal(ctx: Context, bot: Bot, chatId: bigint, error: BotError): Promise<void> {
  const { failure } = error
  if (failure.kind === 'limited') noteLimit(ctx, bot, { chatId, retryAfterMs: failure.retryAfterMs })
  if (failure.kind === 'refused' && failure.status === 403) {
    await setClosed(ctx.db, { telegramId: Number(chatId), closedAt: ctx.clock.now() })
  } else ctx.log.warn({ error }, 'Telegram did not take a message')
}
