import { type Bot, BotError, type Outgoing } from '#server/house/bot/bot.ts'
import type { Context } from '#server/house/context.ts'
import { endSlot, type Lane, noteDown, noteLimit, noteUp, takeSlot } from './pace.ts'
import { noteRefusal } from './reply.ts'

type Delivery = {
  message: Outgoing
  lane: Lane
  /** Of the message, whenever it is tried. */
  key: string
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
 * later, in the slot of its chat.
 */
export async function deliver(ctx: Context, bot: Bot, { message, lane, key, ...delivery }: Delivery): Promise<void> {
  const { chatId } = message
  const asker = { chatId, lane, key }
  const putOff = async (waitMs: number | null) => {
    if (waitMs === null) ctx.log.debug({ lane }, 'a chat has too many messages waiting')
    else await delivery.later(waitMs)
  }
  const waitMs = takeSlot(ctx, asker)
  if (waitMs !== 0) return putOff(waitMs)
  if (!(await delivery.claim())) return endSlot(ctx, asker)
  try {
    await bot.send(message)
    noteUp(ctx)
    endSlot(ctx, asker)
  } catch (error) {
    if (!(error instanceof BotError)) throw error
    const { failure } = error
    switch (failure.kind) {
      case 'limited':
        noteLimit(ctx, { chatId, retryAfterMs: failure.retryAfterMs })
        await delivery.release()
        return putOff(takeSlot(ctx, asker))
      case 'down':
        noteDown(ctx)
        ctx.log.warn({ error }, 'Telegram cannot be reached')
        await delivery.release()
        return putOff(takeSlot(ctx, asker))
      case 'refused':
        endSlot(ctx, asker)
        await delivery.refused?.()
        return noteRefusal(ctx, chatId, error)
      case 'silent':
      case 'too-long':
        endSlot(ctx, asker)
        return noteRefusal(ctx, chatId, error)
      default:
        return failure satisfies never
    }
  }
}
