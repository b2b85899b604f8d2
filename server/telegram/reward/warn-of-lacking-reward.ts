import type { Context } from '#server/context.ts'

type Told = Pick<Context, 'config' | 'log' | 'telegram'>

/** Settings that are no fault, but do something else than one may think. */
export function warnOfSettings(ctx: Told): void {
  warnOfPrivateHosts(ctx)
  warnOfLackingReward(ctx)
}

function warnOfPrivateHosts({ config, log }: Told): void {
  const { demo, outboundPrivateHosts: hosts } = config
  if (demo || hosts.length === 0) return
  log.warn({ hosts }, 'OUTBOUND_PRIVATE_HOSTS lets members have requests sent to hosts of this network')
}

/** `offeredReward` promises nothing without a bot that could look into the channel. */
function warnOfLackingReward({ config, log, telegram: bot }: Told): void {
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
