import type { Currency } from '#contract/money.ts'
import { telegramOf } from '#server/house/bot/bot.ts'
import type { Context } from '#server/house/context.ts'

export type OfferedReward = {
  amountMicros: bigint
  channel: string
  needsTopUp: boolean
  accountAgeMs: number
  linkAgeMs: number
}

/**
 * Returns the reward for subscribing to our Telegram channel. Returns null if the settings lack a bot, a channel, or an
 * amount for this currency.
 */
export function offeredReward(ctx: Context, currency: Currency): OfferedReward | null {
  const { config } = ctx
  const bot = telegramOf(ctx).bot
  const { telegram, telegramRewardMicros } = config
  const amountMicros = telegramRewardMicros[currency]
  if (bot === null || telegram === null || telegram.channel === null || amountMicros === null) return null
  return { amountMicros, channel: telegram.channel, ...telegram.reward }
}

/** Returns when the account and its Telegram link are old enough for the reward. `linkedAt` is null without a link. */
export function payableFrom(offer: OfferedReward, { createdAt, linkedAt }: { createdAt: Date; linkedAt: Date | null }) {
  const ofAccount = createdAt.getTime() + offer.accountAgeMs
  const ofLink = linkedAt === null ? 0 : linkedAt.getTime() + offer.linkAgeMs
  return new Date(Math.max(ofAccount, ofLink))
}
