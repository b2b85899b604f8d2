import { z } from 'zod'
import { MINUTE } from '#contract/time.ts'
import { type Bot, BotError, type Outgoing, telegramOf } from '#server/house/bot/bot.ts'
import { seal, unseal } from '#server/house/config/secret-key.ts'
import type { Context } from '#server/house/context.ts'
import { setClosed } from '#server/surfaces/telegram/chats/queries.ts'
import { endSlot, recordLimit, takeSlot } from './pace.ts'
import { queueReply } from './queries.ts'

/** Answers somebody who has just written, now or once the chat accepts messages. A failed answer is not repeated. */
export function reply(ctx: Context, bot: Bot, message: Outgoing): Promise<void> {
  const until = new Date(ctx.clock.now().getTime() + USEFUL_MS).toISOString()
  return replyInSlot(ctx, bot, message, { key: ctx.random.uuid(), until })
}

/** The time for which an answer is useful. After an outage or a restart the writer no longer waits for it. */
const USEFUL_MS = MINUTE

type Queued = { key: string; until: string }

async function replyInSlot(ctx: Context, bot: Bot, message: Outgoing, { key, until }: Queued): Promise<void> {
  const { chatId } = message
  const asker = { chatId, lane: 'reply' as const, key }
  const waitMs = await takeSlot(ctx, asker)
  if (waitMs === 0) {
    await attempt(ctx, chatId, () => bot.send(message))
    return endSlot(ctx, asker)
  }
  if (waitMs === null) return ctx.log.debug({}, 'a chat has too many answers waiting')
  const body = seal({ ...message, chatId: chatId.toString() }, ctx.secrets.secretKey, ctx.random)
  await queueReply(ctx.db, { payload: JSON.stringify({ body, key, until }), afterMs: waitMs })
}

const payloadSchema = z.object({
  body: z.record(z.string(), z.unknown()),
  key: z.string().default(''),
  until: z.iso.datetime().default('2000-01-01T00:00:00Z'),
})

export async function sendReply(ctx: Context, payload: unknown): Promise<void> {
  const bot = telegramOf(ctx).bot
  if (bot === null) return
  const { body, ...queued } = payloadSchema.parse(payload)
  if (Date.parse(queued.until) <= ctx.clock.now().getTime()) return
  const { value } = unseal(body, [ctx.secrets.secretKey, ...ctx.secrets.previousSecretKeys])
  // The cast is safe, because the encrypted value was written by `replyInSlot`.
  const { chatId, ...message } = value as Omit<Outgoing, 'chatId'> & { chatId: string }
  await replyInSlot(ctx, bot, { ...message, chatId: BigInt(chatId) }, queued)
}

/** Runs `call`, and logs failures of the Bot API instead of throwing them. After a 403 the chat counts as closed. */
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
  if (failure.kind === 'limited') recordLimit(ctx, { chatId, retryAfterMs: failure.retryAfterMs })
  if (failure.kind === 'refused' && failure.status === 403) {
    await setClosed(ctx.db, { telegramId: Number(chatId), closedAt: ctx.clock.now() })
  } else ctx.log.warn({ error }, 'Telegram did not take a message')
}
