import type { Context } from '#server/context.ts'
import { type Bot, BotError, type Outgoing } from '#server/telegram/bot.ts'
import { type Lane, noteLimit, takeTurn } from './pace.ts'
import { noteRefusal } from './reply.ts'

type Delivery = {
  message: Outgoing
  lane: Lane
  /** Marks it as sent, before it is. False: it was sent already, or is of no use any more. */
  claim(): Promise<boolean>
  release(): Promise<void>
  /** The chat will never take it: whoever else can tell it should. */
  refused?(): Promise<void>
  /** Queues its job once more. */
  later(afterMs: number): Promise<void>
}

/**
 * Once, or in doubt not at all: a message that Telegram may have taken is never sent again. What it has surely not taken is tried
 * later: in the turn of its chat, or by the throw of a BotError, which repeats the job.
 */
export async function deliver(ctx: Context, bot: Bot, { message, lane, ...delivery }: Delivery): Promise<void> {
  const { chatId } = message
  const waitMs = takeTurn(ctx, bot, { chatId, lane })
  if (waitMs === null) return ctx.log.debug({ lane }, 'a chat has too many messages waiting')
  if (waitMs > 0) return delivery.later(waitMs)
  if (!(await delivery.claim())) return
  try {
    await bot.send(message)
  } catch (error) {
    if (!(error instanceof BotError)) throw error
    const { failure } = error
    switch (failure.kind) {
      case 'limited':
        noteLimit(ctx, bot, { chatId, retryAfterMs: failure.retryAfterMs })
        await delivery.release()
        return delivery.later(takeTurn(ctx, bot, { chatId, lane }) ?? failure.retryAfterMs)
      case 'down':
        await delivery.release()
        throw error
      case 'refused':
        await delivery.refused?.()
        return noteRefusal(ctx, bot, chatId, error)
      case 'silent':
      case 'too-long':
        return noteRefusal(ctx, bot, chatId, error)
      default:
        return failure satisfies never
    }
  }
}
