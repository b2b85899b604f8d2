import { z } from 'zod'
import { SECOND } from '#contract/time.ts'
import { type Bot, telegramOf } from '#server/house/bot/bot.ts'
import { unseal } from '#server/house/config/secret-key.ts'
import type { Context } from '#server/house/context.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { isLinkPress } from '#server/surfaces/telegram/chats/link-press.ts'
import { answerPress } from '#server/surfaces/telegram/sending/press-button.ts'
import { answerLinkPress } from './answer-link.ts'
import { answerText } from './answer-text.ts'
import { findWaitingUpdate, markProcessed } from './queries.ts'
import type { Incoming } from './read-update.ts'

const payloadSchema = z.object({ id: z.string().regex(/^\d{1,19}$/) })
/** A person who writes faster than this rate gets no answer. */
const perChat = createRateLimit({ name: 'messages of a Telegram chat', burst: 10, refillMs: 2 * SECOND })

/** The job that processes an update. It may run again after a crash, so each of its actions is idempotent. */
export async function processUpdate(ctx: Context, payload: unknown): Promise<void> {
  const { id } = payloadSchema.parse(payload)
  const { bot } = telegramOf(ctx)
  const body = bot === null ? null : await findWaitingUpdate(ctx.db, id)
  if (body === null || bot === null) return
  const { value } = unseal(body, [ctx.secrets.secretKey, ...ctx.secrets.previousSecretKeys])
  // The cast is safe, because the encrypted value was written by take-updates.ts.
  await answer(ctx, bot, value as Incoming)
  await markProcessed(ctx.db, { id, now: ctx.clock.now() })
}

async function answer(ctx: Context, bot: Bot, update: Incoming): Promise<void> {
  if (update.kind === 'other') return
  if (!(await perChat.take(ctx, update.telegramId.toString())).isTaken) return
  if (update.kind === 'text') await answerText(ctx, bot, update)
  else if (isLinkPress(update.data)) await answerLinkPress(ctx, bot, update)
  else await answerPress(ctx, bot, update)
}
