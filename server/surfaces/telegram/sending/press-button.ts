import { askForAnotherCode } from '#server/core/numbers/activations/ask-another-code.ts'
import { cancelActivation } from '#server/core/numbers/activations/cancel.ts'
import { finishActivation } from '#server/core/numbers/activations/finish.ts'
import { findActivation } from '#server/core/numbers/activations/queries/read.ts'
import type { Bot, Keyboard } from '#server/house/bot/bot.ts'
import type { Context } from '#server/house/context.ts'
import { AppError } from '#server/house/errors/errors.ts'
import { type ChatOwner, findChatOwner } from '#server/surfaces/telegram/chats/queries.ts'
import type { Verb } from '#server/surfaces/telegram/words/telegram-words.ts'
import { telegramWords } from '#server/surfaces/telegram/words/words-of.ts'
import { keyboardOf } from './keyboard.ts'
import { takeSlotNow } from './pace.ts'
import { attempt } from './reply.ts'

type Press = { telegramId: number; pressId: string; messageId: number; data: string }

const PRESS = /^(again|done|cancel):(\d{1,15})$/
const RUN = { again: askForAnotherCode, done: finishActivation, cancel: cancelActivation }

/** Handles a button press. A repeated press is harmless, and a forged press reaches no other account's numbers. */
export async function answerPress(ctx: Context, bot: Bot, press: Press): Promise<void> {
  const chatId = BigInt(press.telegramId)
  const owner = await findChatOwner(ctx.db, press.telegramId)
  const [, verb, id] = PRESS.exec(press.data) ?? []
  const done =
    owner === null || owner.is_blocked || verb === undefined
      ? { text: telegramWords(owner?.locale ?? 'en').notYours, keyboard: null }
      : // The cast is safe, because the pattern matches only the three actions.
        await run(ctx, owner, { verb: verb as Verb, activationId: Number(id) })
  await attempt(ctx, chatId, () => bot.answerPress(press.pressId, done.text))
  const { keyboard } = done
  // If the buttons cannot be changed now, pressing an old button does no harm.
  if (await takeSlotNow(ctx, chatId))
    await attempt(ctx, chatId, () => bot.setKeyboard({ chatId, messageId: press.messageId, keyboard }))
}

async function run(
  ctx: Context,
  { user_id: userId, locale }: ChatOwner,
  { verb, activationId }: { verb: Verb; activationId: number },
): Promise<{ text: string; keyboard: Keyboard | null }> {
  try {
    const row = await RUN[verb](ctx, { activationId, userId })
    return { text: telegramWords(locale).done[verb], keyboard: keyboardOf(row, locale) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const row = await findActivation(ctx.db, { id: activationId, userId })
    return { text: error.words[locale], keyboard: row === null ? null : keyboardOf(row, locale) }
  }
}
