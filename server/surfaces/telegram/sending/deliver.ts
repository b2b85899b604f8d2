import { type Bot, BotError, type Outgoing } from '#server/house/bot/bot.ts'
import type { Context } from '#server/house/context.ts'
import { endSlot, type Lane, recordLimit, recordOutage, recordSuccess, takeSlot } from './pace.ts'
import { noteRefusal } from './reply.ts'

type Delivery = {
  message: Outgoing
  lane: Lane
  key: string
  /** Marks the message as sent, before the request. Returns false if it was already sent or is of no use any more. */
  claim(): Promise<boolean>
  release(): Promise<void>
  /** Called if the chat will never accept the message, so that it can be sent by mail. */
  refused?(): Promise<void>
  later(afterMs: number): Promise<void>
}

/** Delivers a message at most once. It is sent again only if Telegram has surely not accepted it. */
export async function deliver(ctx: Context, bot: Bot, { message, lane, key, ...delivery }: Delivery): Promise<void> {
  const { chatId } = message
  const asker = { chatId, lane, key }
  const putOff = async (waitMs: number | null) => {
    if (waitMs === null) ctx.log.debug({ lane }, 'a chat has too many messages waiting')
    else await delivery.later(waitMs)
  }
  const waitMs = await takeSlot(ctx, asker)
  if (waitMs !== 0) return putOff(waitMs)
  if (!(await delivery.claim())) return endSlot(ctx, asker)
  try {
    await bot.send(message)
    recordSuccess(ctx)
    endSlot(ctx, asker)
  } catch (error) {
    if (!(error instanceof BotError)) throw error
    const { failure } = error
    switch (failure.kind) {
      case 'limited':
        recordLimit(ctx, { chatId, retryAfterMs: failure.retryAfterMs })
        await delivery.release()
        return putOff(await takeSlot(ctx, asker))
      case 'down':
        recordOutage(ctx)
        ctx.log.warn({ error }, 'Telegram cannot be reached')
        await delivery.release()
        return putOff(await takeSlot(ctx, asker))
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
