import { createHmac } from 'node:crypto'
import { MINUTE, SECOND } from '#contract/time.ts'
import { type Bot, BotError, telegramOf } from '#server/house/bot/bot.ts'
import type { Context } from '#server/house/context.ts'
import { findNewestUpdate } from './queries.ts'
import { takeUpdates } from './take-updates.ts'

export const WEBHOOK_PATH = '/telegram/updates'
/** The number of updates requested at once. Ten long updates fit into the size limit of a reply. */
const POLLED_UPDATES = 10
const FIRST_PAUSE_MS = SECOND
const LONGEST_PAUSE_MS = MINUTE

export function webhookSecret(ctx: Pick<Context, 'secrets'>): string {
  return createHmac('sha256', ctx.secrets.secretKey).update('telegram webhook').digest('hex')
}

type Follower = { work(): Promise<void>; stop(): void }

/** Sets or removes the webhook, and polls for updates without a webhook. Runs periodically. Logs an outage once. */
export function followUpdates(ctx: Context): Follower {
  const stopped = new AbortController()
  let isSettled = false
  let pauseMs = 0
  let resumeAt = 0
  const round = async (bot: Bot) => {
    const isPolled = ctx.config.telegram?.updates !== 'webhook'
    if (!isSettled) await bot.setWebhook(isPolled ? null : webhookOf(ctx))
    isSettled = true
    if (isPolled) await pollUpdates(ctx, bot, stopped.signal)
  }
  return {
    async work() {
      const { bot } = telegramOf(ctx)
      if (bot === null || stopped.signal.aborted || ctx.clock.now().getTime() < resumeAt) return
      try {
        await round(bot)
        if (pauseMs > 0) ctx.log.info({}, 'Telegram answers again')
        pauseMs = 0
      } catch (error) {
        if (!(error instanceof BotError)) throw error
        if (stopped.signal.aborted) return
        if (pauseMs === 0) ctx.log.warn({ error }, 'updates of Telegram cannot be had')
        pauseMs = pauseAfter(error, pauseMs)
        resumeAt = ctx.clock.now().getTime() + pauseMs
      }
    },
    stop: () => stopped.abort(),
  }
}

/** Polls for updates and stores them. The next poll confirms them to Telegram. */
export async function pollUpdates(ctx: Context, bot: Bot, signal: AbortSignal): Promise<number> {
  const newest = await findNewestUpdate(ctx.db)
  const offset = newest === null ? null : newest + 1
  try {
    return await takeUpdates(ctx, await bot.getUpdates({ offset, limit: POLLED_UPDATES }, signal))
  } catch (error) {
    if (tooLong(error) === null) throw error
    return takeFirstUpdate(ctx, bot, { offset, signal })
  }
}

/** Stores an update that is too long for a reply of Telegram without its text, so that the next poll confirms it. */
async function takeFirstUpdate(
  ctx: Context,
  bot: Bot,
  { offset, signal }: { offset: number | null; signal: AbortSignal },
): Promise<number> {
  try {
    return await takeUpdates(ctx, await bot.getUpdates({ offset, limit: 1 }, signal))
  } catch (error) {
    const updateId = tooLong(error)?.updateId ?? offset
    if (tooLong(error) === null || updateId === null) throw error
    ctx.log.warn({ error, updateId }, 'an update of Telegram is too long and passed over')
    return takeUpdates(ctx, [{ update_id: updateId }])
  }
}

function tooLong(error: unknown) {
  return error instanceof BotError && error.failure.kind === 'too-long' ? error.failure : null
}

function webhookOf(ctx: Context): { url: string; secret: string } {
  return { url: new URL(WEBHOOK_PATH, ctx.config.publicUrl).href, secret: webhookSecret(ctx) }
}

function pauseAfter({ failure }: BotError, pauseMs: number): number {
  if (failure.kind === 'limited') return failure.retryAfterMs
  return Math.min(Math.max(FIRST_PAUSE_MS, pauseMs * 2), LONGEST_PAUSE_MS)
}
