/** What a person or program is told about buying, and about what they bought. Part of the catalogue: see errors.ts. */
import { SECOND } from '#contract/time.ts'
import { AppError, plain } from './errors.ts'

export const noNumbers = plain('NO_NUMBERS', 409, 'Свободных номеров сейчас нет', 'There are no numbers right now')

/** A number was given back for another, and there is no other. `cancelled`: the activation that ended. */
export function noReplacement(cancelled: number): AppError {
  return new AppError({
    code: 'NO_NUMBERS',
    httpStatus: 409,
    words: {
      ru: 'Другого номера сейчас нет. Прежний отменён, деньги вернулись на баланс',
      en: 'There is no other number right now. The one you had was cancelled, its price is back on your balance',
    },
    data: { cancelled },
  })
}

export const badService = plain('BAD_SERVICE', 422, 'Такого сервиса нет', 'There is no such service')

export const badCountry = plain('BAD_COUNTRY', 422, 'Такой страны нет', 'There is no such country')

export const badOperator = plain('BAD_OPERATOR', 422, 'Такого оператора нет', 'There is no such operator')

export const codeAlreadyReceived = plain(
  'CODE_ALREADY_RECEIVED',
  409,
  'Код уже пришёл, деньги за него не возвращаются',
  'The code has already come, so it cannot be given back',
)

export const noCodeYet = plain('NO_CODE_YET', 409, 'Кода ещё не было', 'No code has come yet')

export const activationEnded = plain(
  'ACTIVATION_ENDED',
  409,
  'Работа с этим номером уже закончена',
  'This activation has already ended',
)

export const againUnavailable = plain(
  'AGAIN_UNAVAILABLE',
  409,
  'На этот номер больше нельзя получить код',
  'This number cannot receive another code',
)

export const idempotencyConflict = plain(
  'IDEMPOTENCY_CONFLICT',
  409,
  'Этот ключ повтора уже использован для другого запроса',
  'This idempotency key was already used for another request',
)

export const inProgress = plain(
  'IN_PROGRESS',
  409,
  'Этот запрос ещё выполняется, повторите чуть позже',
  'This request is still under way, repeat it in a moment',
)

/** `priceMicros` stays a decimal in `data`: the page shows what it would cost now. */
export function priceChanged(price: string): AppError {
  return new AppError({
    code: 'PRICE_CHANGED',
    httpStatus: 409,
    words: {
      ru: 'Цена изменилась. Ничего не списано, проверьте новую цену',
      en: 'The price has changed. Nothing was charged, check the new price',
    },
    data: { price },
  })
}

/** `price` and `missing` are decimal strings in the account's currency. */
export function noBalance(amounts: { price: string; missing: string }): AppError {
  return new AppError({
    code: 'NO_BALANCE',
    httpStatus: 409,
    words: { ru: 'На балансе не хватает денег', en: 'There is not enough money on the balance' },
    data: amounts,
  })
}

/** The caller's ceiling is below the lowest price, a decimal string. */
export function maxPriceTooLow(lowest: string): AppError {
  return new AppError({
    code: 'MAX_PRICE_TOO_LOW',
    httpStatus: 422,
    words: { ru: `Самая низкая цена — ${lowest}`, en: `The lowest price is ${lowest}` },
    data: { lowest },
  })
}

export function earlyCancelDenied(seconds: number): AppError {
  return new AppError({
    code: 'EARLY_CANCEL_DENIED',
    httpStatus: 409,
    words: { ru: `Отменить можно через ${seconds} с`, en: `This can be cancelled in ${seconds} s` },
    data: { seconds },
    retryAfterSeconds: seconds,
  })
}

const STOPPED_SECONDS = 60
export function buyingStopped(): AppError {
  return new AppError({
    code: 'BUYING_STOPPED',
    httpStatus: 503,
    words: { ru: 'Покупка номеров приостановлена', en: 'Buying is paused for now' },
    retryAfterSeconds: STOPPED_SECONDS,
  })
}

export const rentCancelDenied = plain(
  'RENT_CANCEL_DENIED',
  409,
  'Отменить аренду можно в первые 20 минут, до первого сообщения и до продления',
  'A rental can be cancelled within its first 20 minutes, before its first message and before it is extended',
)
/** Ending it now would cost the whole price, and cancelling it costs nothing. */
export const finishTooEarly = plain(
  'NO_CODE_YET',
  409,
  'Сообщений ещё не было: аренду можно отменить с возвратом денег',
  'No message has come yet: cancel the rental and the money comes back',
)
export const extendUnavailable = plain(
  'EXTEND_UNAVAILABLE',
  409,
  'Эту аренду продлить нельзя. Ничего не списано',
  'This rental cannot be extended. Nothing was charged',
)
export const repeatUnavailable = plain(
  'REPEAT_UNAVAILABLE',
  409,
  'Этот номер ещё раз не купить. Ничего не списано',
  'This number cannot be bought once more. Nothing was charged',
)

/** Far too few codes over many purchases: this service in this country waits, for this account. `until` is ISO 8601. */
export function pairPaused(until: Date, now: Date): AppError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / SECOND))
  const minutes = Math.ceil(seconds / 60)
  return new AppError({
    code: 'PAIR_PAUSED',
    httpStatus: 409,
    words: {
      ru: `Слишком мало кодов на ваши покупки: этот сервис в этой стране откроется для вас через ${minutes} мин`,
      en: `Too few codes for your purchases: this service in this country opens for you again in ${minutes} min`,
    },
    data: { until: until.toISOString() },
    retryAfterSeconds: seconds,
  })
}

export function tooManyOpenNumbers(limit: number): AppError {
  return new AppError({
    code: 'TOO_MANY_OPEN_NUMBERS',
    httpStatus: 409,
    words: {
      ru: `Открытых номеров уже столько, сколько разрешено: ${limit}. Завершите или отмените часть из них`,
      en: `You have as many open numbers as you may: ${limit}. Finish or cancel some of them`,
    },
    data: { limit },
  })
}

/** `limit` and `spent` are decimal strings in the account's currency, for the last 24 hours. */
export function spendLimitReached(amounts: { limit: string; spent: string }): AppError {
  return new AppError({
    code: 'SPEND_LIMIT_REACHED',
    httpStatus: 409,
    words: {
      ru: 'Лимит трат этого счёта за сутки исчерпан',
      en: 'This account has reached its spending limit for 24 hours',
    },
    data: amounts,
  })
}

export function tooManyPreorders(limit: number): AppError {
  return new AppError({
    code: 'TOO_MANY_PREORDERS',
    httpStatus: 409,
    words: {
      ru: `Открытых предзаказов уже столько, сколько разрешено: ${limit}. Отмените часть из них`,
      en: `You have as many open pre-orders as you may: ${limit}. Cancel some of them`,
    },
    data: { limit },
  })
}

export const preorderEnded = plain(
  'PREORDER_ENDED',
  409,
  'Этот предзаказ уже закончился',
  'This pre-order has already ended',
)
