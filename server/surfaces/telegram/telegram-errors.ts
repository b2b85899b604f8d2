import { plain } from '#server/house/errors/errors.ts'

export const telegramNotLinked = plain('TELEGRAM_NOT_LINKED')
export const telegramUnavailable = plain('TELEGRAM_UNAVAILABLE')
export const notInChannel = plain('NOT_IN_CHANNEL')
export const rewardGiven = plain('REWARD_GIVEN')
export const rewardTooEarly = plain('REWARD_TOO_EARLY')
export const rewardNeedsTopUp = plain('REWARD_NEEDS_TOP_UP')
