/** What somebody is told of Telegram. Part of the catalogue: see errors.ts. */
import { plain } from '#server/errors.ts'

export const telegramNotLinked = plain('TELEGRAM_NOT_LINKED', 409)
export const telegramUnavailable = plain('TELEGRAM_UNAVAILABLE', 502)
export const notInChannel = plain('NOT_IN_CHANNEL', 409)
export const rewardGiven = plain('REWARD_GIVEN', 409)
export const rewardTooEarly = plain('REWARD_TOO_EARLY', 409)
export const rewardNeedsTopUp = plain('REWARD_NEEDS_TOP_UP', 409)
