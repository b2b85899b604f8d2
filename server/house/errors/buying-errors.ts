import { SECOND } from '#contract/time.ts'
import { AppError, plain } from './errors.ts'

export const noNumbers = plain('NO_NUMBERS')

/** Returns the error that no number is in stock as a replacement. `cancelled` is the id of the number given back. */
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

/** Returns the error that the price changed since the page was loaded. `price` is the current price as a decimal. */
export function priceChanged(price: string): AppError {
  return new AppError('PRICE_CHANGED', { data: { price } })
}

/** Returns the error that the balance is too small. Amounts are decimal strings in the account's currency. */
export function noBalance(amounts: { price: string; missing: string }): AppError {
  return new AppError('NO_BALANCE', { data: amounts })
}

/** Returns the error that a reversed payment left the account in debt. `debt` is a decimal string. */
export function inDebt(debt: string): AppError {
  return new AppError('IN_DEBT', { data: { debt } })
}

/** Returns the error that every number in stock costs more than the buyer's maximum price. `lowest` is a decimal. */
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
/** A rental cannot be finished this early: finishing would cost the whole price, and cancelling is still free. */
export const finishTooEarly = plain('NO_CODE_YET.rental')
export const extendUnavailable = plain('EXTEND_UNAVAILABLE')
export const repeatUnavailable = plain('REPEAT_UNAVAILABLE')

/** Returns the error that the account got too few codes, so its purchases of the service in the country are paused. */
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

/** Returns the error that the account's spending limit for 24 hours is reached. Amounts are decimal strings. */
export function spendLimitReached(amounts: { limit: string; spent: string }): AppError {
  return new AppError('SPEND_LIMIT_REACHED', { data: amounts })
}

class KeySpendLimitReached extends AppError {}

/** Returns the error that the spending limit of the API key for one day (UTC) is reached. */
export function keySpendLimitReached(amounts: { limit: string; spent: string }): AppError {
  return new KeySpendLimitReached('SPEND_LIMIT_REACHED.key', { values: amounts, data: amounts })
}

/** Returns the code shown in the API key's call log if it differs from the code in the reply, else null. */
export function shownToOwner(error: unknown): 'KEY_DAY_LIMIT' | null {
  return error instanceof KeySpendLimitReached ? 'KEY_DAY_LIMIT' : null
}

/** Returns the error that the person has too many favourites. `limit` counts favourites of all kinds together. */
export function tooManyFavorites(limit: number): AppError {
  return new AppError('TOO_MANY_FAVORITES', { values: { limit } })
}

export function tooManyPreorders(limit: number): AppError {
  return new AppError('TOO_MANY_PREORDERS', { values: { limit }, data: { limit } })
}

export const preorderEnded = plain('PREORDER_ENDED')
