import { SECOND } from '#contract/time.ts'
import { AppError, plain } from './errors.ts'

export const noNumbers = plain('NO_NUMBERS')

/**
 * The buyer gave a number back to get a replacement, but no number is in stock. `cancelled` is the id of the ended
 * activation.
 */
export function noReplacement(cancelled: number): AppError {
  return new AppError('NO_NUMBERS.replaced', { data: { cancelled } })
}

export const badService = plain('BAD_SERVICE')

export const badCountry = plain('BAD_COUNTRY')

export const badOperator = plain('BAD_OPERATOR')

export const codeAlreadyReceived = plain('CODE_ALREADY_RECEIVED')

export const noCodeYet = plain('NO_CODE_YET')

export const noNotice = plain('NO_NOTICE')

export const tooManyReports = plain('TOO_MANY_REPORTS')

export const activationEnded = plain('ACTIVATION_ENDED')

export const againUnavailable = plain('AGAIN_UNAVAILABLE')

export const idempotencyConflict = plain('IDEMPOTENCY_CONFLICT')

export const inProgress = plain('IN_PROGRESS')

/**
 * The price has changed since the page was loaded. `price` is the current price as a decimal string, which the page
 * then shows.
 */
export function priceChanged(price: string): AppError {
  return new AppError('PRICE_CHANGED', { data: { price } })
}

/** The balance is too small. `price` and `missing` are decimal strings in the account's currency. */
export function noBalance(amounts: { price: string; missing: string }): AppError {
  return new AppError('NO_BALANCE', { data: amounts })
}

/** A reversed payment left the account in debt. `debt` is a decimal string in the account's currency. */
export function inDebt(debt: string): AppError {
  return new AppError('IN_DEBT', { data: { debt } })
}

/** The buyer's maximum price is below the lowest price in stock. `lowest` is a decimal string. */
export function maxPriceTooLow(lowest: string): AppError {
  return new AppError('MAX_PRICE_TOO_LOW', { values: { lowest }, data: { lowest } })
}

export function earlyCancelDenied(seconds: number): AppError {
  return new AppError('EARLY_CANCEL_DENIED', { values: { seconds }, data: { seconds }, retryAfterSeconds: seconds })
}

const STOPPED_SECONDS = 60
export function buyingStopped(): AppError {
  return new AppError('BUYING_STOPPED', { retryAfterSeconds: STOPPED_SECONDS })
}

export function sandboxFull(retryAfterSeconds: number): AppError {
  return new AppError('SANDBOX_FULL', { values: { seconds: retryAfterSeconds }, retryAfterSeconds })
}

export const rentCancelDenied = plain('RENT_CANCEL_DENIED')
/**
 * The rental cannot be finished this early, because finishing would cost the whole price and cancelling is still free.
 */
export const finishTooEarly = plain('NO_CODE_YET.rental')
export const extendUnavailable = plain('EXTEND_UNAVAILABLE')
export const repeatUnavailable = plain('REPEAT_UNAVAILABLE')

/**
 * Purchases of the service in the country are paused for the account, because it got far too few codes. `until` is in
 * ISO 8601 in the reply.
 */
export function pairPaused(until: Date, now: Date): AppError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / SECOND))
  const minutes = Math.ceil(seconds / 60)
  return new AppError('PAIR_PAUSED', {
    values: { minutes },
    data: { until: until.toISOString() },
    retryAfterSeconds: seconds,
  })
}

export function tooManyOpenNumbers(limit: number): AppError {
  return new AppError('TOO_MANY_OPEN_NUMBERS', { values: { limit }, data: { limit } })
}

/**
 * The account's spending limit is reached. `limit` and `spent` (in the last 24 hours) are decimal strings in the
 * account's currency.
 */
export function spendLimitReached(amounts: { limit: string; spent: string }): AppError {
  return new AppError('SPEND_LIMIT_REACHED', { data: amounts })
}

class KeySpendLimitReached extends AppError {}

/** The spending limit of the API key is reached. The limit counts one day in UTC. */
export function keySpendLimitReached(amounts: { limit: string; spent: string }): AppError {
  return new KeySpendLimitReached('SPEND_LIMIT_REACHED.key', { values: amounts, data: amounts })
}

/**
 * Returns the code that the key owner's log of API calls shows for an error. Null means the code that was also sent to
 * the program.
 */
export function shownToOwner(error: unknown): 'KEY_DAY_LIMIT' | null {
  return error instanceof KeySpendLimitReached ? 'KEY_DAY_LIMIT' : null
}

/** The person has too many favourites. `limit` is the maximum for all kinds of favourites together. */
export function tooManyFavorites(limit: number): AppError {
  return new AppError('TOO_MANY_FAVORITES', { values: { limit } })
}

export function tooManyPreorders(limit: number): AppError {
  return new AppError('TOO_MANY_PREORDERS', { values: { limit }, data: { limit } })
}

export const preorderEnded = plain('PREORDER_ENDED')
