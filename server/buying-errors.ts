/** What a person or program is told about buying, and about what they bought. Part of the catalogue: see errors.ts. */
import { SECOND } from '#contract/time.ts'
import { wordsOf } from './error-words.ts'
import { AppError, plain } from './errors.ts'

export const noNumbers = plain('NO_NUMBERS', 409)

/** A number was given back for another, and there is no other. `cancelled`: the activation that ended. */
export function noReplacement(cancelled: number): AppError {
  return new AppError({
    code: 'NO_NUMBERS',
    httpStatus: 409,
    words: wordsOf('NO_NUMBERS.replaced'),
    data: { cancelled },
  })
}

export const badService = plain('BAD_SERVICE', 422)

export const badCountry = plain('BAD_COUNTRY', 422)

export const badOperator = plain('BAD_OPERATOR', 422)

export const codeAlreadyReceived = plain('CODE_ALREADY_RECEIVED', 409)

export const noCodeYet = plain('NO_CODE_YET', 409)

export const noNotice = plain('NO_NOTICE', 409)

export const tooManyReports = plain('TOO_MANY_REPORTS', 409)

export const activationEnded = plain('ACTIVATION_ENDED', 409)

export const againUnavailable = plain('AGAIN_UNAVAILABLE', 409)

export const idempotencyConflict = plain('IDEMPOTENCY_CONFLICT', 409)

export const inProgress = plain('IN_PROGRESS', 409)

/** `priceMicros` stays a decimal in `data`: the page shows what it would cost now. */
export function priceChanged(price: string): AppError {
  return new AppError({
    code: 'PRICE_CHANGED',
    httpStatus: 409,
    words: wordsOf('PRICE_CHANGED'),
    data: { price },
  })
}

/** `price` and `missing` are decimal strings in the account's currency. */
export function noBalance(amounts: { price: string; missing: string }): AppError {
  return new AppError({
    code: 'NO_BALANCE',
    httpStatus: 409,
    words: wordsOf('NO_BALANCE'),
    data: amounts,
  })
}

/** A reversed payment left a debt, a decimal string in the account's currency. */
export function inDebt(debt: string): AppError {
  return new AppError({ code: 'IN_DEBT', httpStatus: 409, words: wordsOf('IN_DEBT'), data: { debt } })
}

/** The caller's ceiling is below the lowest price, a decimal string. */
export function maxPriceTooLow(lowest: string): AppError {
  return new AppError({
    code: 'MAX_PRICE_TOO_LOW',
    httpStatus: 422,
    words: wordsOf('MAX_PRICE_TOO_LOW', { lowest }),
    data: { lowest },
  })
}

export function earlyCancelDenied(seconds: number): AppError {
  return new AppError({
    code: 'EARLY_CANCEL_DENIED',
    httpStatus: 409,
    words: wordsOf('EARLY_CANCEL_DENIED', { seconds }),
    data: { seconds },
    retryAfterSeconds: seconds,
  })
}

const STOPPED_SECONDS = 60
export function buyingStopped(): AppError {
  return new AppError({
    code: 'BUYING_STOPPED',
    httpStatus: 503,
    words: wordsOf('BUYING_STOPPED'),
    retryAfterSeconds: STOPPED_SECONDS,
  })
}

/** Keys with play money share what there is of it. */
export function sandboxFull(retryAfterSeconds: number): AppError {
  return new AppError({
    code: 'SANDBOX_FULL',
    httpStatus: 503,
    words: wordsOf('SANDBOX_FULL', { seconds: retryAfterSeconds }),
    retryAfterSeconds,
  })
}

export const rentCancelDenied = plain('RENT_CANCEL_DENIED', 409)
/** Ending it now would cost the whole price, and cancelling it costs nothing. */
export const finishTooEarly = plain('NO_CODE_YET', 409, 'NO_CODE_YET.rental')
export const extendUnavailable = plain('EXTEND_UNAVAILABLE', 409)
export const repeatUnavailable = plain('REPEAT_UNAVAILABLE', 409)

/** Far too few codes over many purchases: this service in this country waits, for this account. `until` is ISO 8601. */
export function pairPaused(until: Date, now: Date): AppError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / SECOND))
  const minutes = Math.ceil(seconds / 60)
  return new AppError({
    code: 'PAIR_PAUSED',
    httpStatus: 409,
    words: wordsOf('PAIR_PAUSED', { minutes }),
    data: { until: until.toISOString() },
    retryAfterSeconds: seconds,
  })
}

export function tooManyOpenNumbers(limit: number): AppError {
  return new AppError({
    code: 'TOO_MANY_OPEN_NUMBERS',
    httpStatus: 409,
    words: wordsOf('TOO_MANY_OPEN_NUMBERS', { limit }),
    data: { limit },
  })
}

/** `limit` and `spent` are decimal strings in the account's currency, for the last 24 hours. */
export function spendLimitReached(amounts: { limit: string; spent: string }): AppError {
  return new AppError({
    code: 'SPEND_LIMIT_REACHED',
    httpStatus: 409,
    words: wordsOf('SPEND_LIMIT_REACHED'),
    data: amounts,
  })
}

class KeySpendLimitReached extends AppError {}

/** The same of the key that buys, for one day in UTC. */
export function keySpendLimitReached(amounts: { limit: string; spent: string }): AppError {
  const words = wordsOf('SPEND_LIMIT_REACHED.key', amounts)
  return new KeySpendLimitReached({ code: 'SPEND_LIMIT_REACHED', httpStatus: 409, words, data: amounts })
}

/** What the calls of a key show of a failure; null: what its program was told. */
export function shownToOwner(error: unknown): 'KEY_DAY_LIMIT' | null {
  return error instanceof KeySpendLimitReached ? 'KEY_DAY_LIMIT' : null
}

/** `limit`: favourites of one person, of every kind. */
export function tooManyFavorites(limit: number): AppError {
  return new AppError({ code: 'TOO_MANY_FAVORITES', httpStatus: 409, words: wordsOf('TOO_MANY_FAVORITES', { limit }) })
}

export function tooManyPreorders(limit: number): AppError {
  return new AppError({
    code: 'TOO_MANY_PREORDERS',
    httpStatus: 409,
    words: wordsOf('TOO_MANY_PREORDERS', { limit }),
    data: { limit },
  })
}

export const preorderEnded = plain('PREORDER_ENDED', 409)
