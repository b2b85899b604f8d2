import type { Context } from '#server/context.ts'
import { type Bot, BotError, type Outgoing } from '#server/telegram/bot.ts'
import { noteRefusal } from './reply.ts'

type Delivery = {
  message: Outgoing
  /** Marks it as sent, before it is. False: it was sent already, or is of no use any more. */
  claim(): Promise<boolean>
  release(): Promise<void>
  /** Queues its job once more. */
  later(afterMs: number): Promise<void>
}

/** Until when Telegram wants to be left alone. */
const pauses = new WeakMap<Bot, number>()

/**
 * Once, or in doubt not at all: a message that Telegram may have taken is never sent again. What it has surely not taken is tried
 * later: after the pause it asked for, or by the throw of a BotError, which repeats the job.
 */
export async function deliver(ctx: Context, bot: Bot, { message, ...delivery }: Delivery): Promise<void> {
  const now = ctx.clock.now().getTime()
  const pauseMs = (pauses.get(bot) ?? 0) - now
  if (pauseMs > 0) return delivery.later(pauseMs)
  if (!(await delivery.claim())) return
  try {
    await bot.send(message)
  } catch (error) {
    if (!(error instanceof BotError)) throw error
    const { failure } = error
    switch (failure.kind) {
      case 'limited':
        pauses.set(bot, now + failure.retryAfterMs)
        await delivery.release()
        return delivery.later(failure.retryAfterMs)
      case 'down':
        await delivery.release()
        throw error
      case 'silent':
      case 'refused':
        return noteRefusal(ctx, message.chatId, error)
      default:
        return failure satisfies never
    }
  }
}
