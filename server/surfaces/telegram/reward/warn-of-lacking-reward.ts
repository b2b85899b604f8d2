import { telegramOf } from '#server/house/bot/bot.ts'
import type { Context } from '#server/house/context.ts'

/** Warns if a reward is configured but not offered (`offeredReward`), because no bot can check the channel. */
export function warnOfLackingReward(ctx: Context): void {
  const { config, log } = ctx
  const bot = telegramOf(ctx).bot
  if (Object.values(config.telegramRewardMicros).every((micros) => micros === null)) return
  const hasChannel = config.telegram?.channel != null
  const missing = [
    ...(bot === null ? ['TELEGRAM_BOT_TOKEN', 'TELEGRAM_BOT_NAME'] : []),
    ...(hasChannel || bot === null ? [] : ['TELEGRAM_CHANNEL']),
  ]
  if (missing.length > 0) {
    log.warn({ missing }, 'TELEGRAM_SUBSCRIBE_REWARD_… promises nothing: the bot and the channel must be set as well')
  }
}
