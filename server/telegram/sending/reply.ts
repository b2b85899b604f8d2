import { z } from 'zod'
import { seal, unseal } from '#server/config/secret-key.ts'
import type { Context } from '#server/context.ts'
import { type Bot, BotError, type Outgoing } from '#server/telegram/bot.ts'
import { setClosed } from '#server/telegram/chats/queries.ts'
import { noteLimit, takeTurn } from './pace.ts'
import { queueReply } from './queries.ts'

/** An answer to somebody who has just written, at once or when the chat takes more: one that cannot be sent is not repeated. */
export async function reply(ctx: Context, bot: Bot, message: Outgoing): Promise<void> {
  const { chatId } = message
  const waitMs = takeTurn(ctx, bot, { chatId, lane: 'reply' })
  if (waitMs === 0) return attempt(ctx, bot, chatId, () => bot.send(message))
  if (waitMs === null) return ctx.log.debug({}, 'a chat has too many answers waiting')
  const body = seal({ ...message, chatId: chatId.toString() }, ctx.secretKey, ctx.random)
  await queueReply(ctx.db, { payload: JSON.stringify({ body }), afterMs: waitMs })
}

const payloadSchema = z.object({ body: z.record(z.string(), z.unknown()) })

/** The job of an answer that had to wait. */
export async function sendReply(ctx: Context, payload: unknown): Promise<void> {
  const bot = ctx.telegram
  if (bot === null) return
  const { value } = unseal(payloadSchema.parse(payload).body, [ctx.secretKey, ...ctx.previousSecretKeys])
  // We sealed it above.
  const { chatId, ...message } = value as Omit<Outgoing, 'chatId'> & { chatId: string }
  await reply(ctx, bot, { ...message, chatId: BigInt(chatId) })
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
