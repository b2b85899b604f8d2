import type { Currency } from '#contract/money.ts'
import type { Context } from '#server/context.ts'

export type OfferedReward = { amountMicros: bigint; channel: string; needsTopUp: boolean; accountAgeMs: number }

/** null: nothing is promised, because there is no amount in this currency, no channel, or no bot that could look. */
export function offeredReward({ config, telegram: bot }: Context, currency: Currency): OfferedReward | null {
  const { telegram, telegramRewardMicros } = config
  const amountMicros = telegramRewardMicros[currency]
  if (bot === null || telegram === null || telegram.channel === null || amountMicros === null) return null
  return { amountMicros, channel: telegram.channel, ...telegram.reward }
}
