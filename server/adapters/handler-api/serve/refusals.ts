import type {
  AccountErrorCode,
  ErrorCode,
  PaymentErrorCode,
  StaffErrorCode,
  SupportErrorCode,
  TelegramErrorCode,
} from '#contract/errors.ts'
import type { Word } from '#server/adapters/handler-api/wire/words.ts'
import type { AppError } from '#server/house/errors/errors.ts'
import { type Refusal, word } from './answer.ts'

/** Maps our error codes to this API's refusal texts. A single action may override a text. */
export const WORD_OF: Record<
  Exclude<ErrorCode, AccountErrorCode | PaymentErrorCode | SupportErrorCode | StaffErrorCode | TelegramErrorCode>,
  Word
> = {
  UNAUTHENTICATED: 'BAD_KEY',
  WRONG_CREDENTIALS: 'BAD_KEY',
  FORBIDDEN: 'BAD_KEY',
  BLOCKED: 'ACCOUNT_INACTIVE',
  NOT_FOUND: 'NO_ACTIVATION',
  INVALID_INPUT: 'BAD_DATA',
  MALFORMED_BODY: 'BAD_DATA',
  BODY_TOO_LARGE: 'BAD_DATA',
  UNSUPPORTED_MEDIA_TYPE: 'BAD_DATA',
  TOO_MANY_REQUESTS: 'RATE_LIMIT',
  NO_NUMBERS: 'NO_NUMBERS',
  NO_BALANCE: 'NO_BALANCE',
  IN_DEBT: 'NO_BALANCE',
  PRICE_CHANGED: 'NO_NUMBERS',
  MAX_PRICE_TOO_LOW: 'WRONG_MAX_PRICE',
  BAD_SERVICE: 'BAD_SERVICE',
  BAD_COUNTRY: 'BAD_COUNTRY',
  BAD_OPERATOR: 'BAD_OPERATOR',
  EARLY_CANCEL_DENIED: 'EARLY_CANCEL_DENIED',
  CODE_ALREADY_RECEIVED: 'BAD_STATUS',
  NO_CODE_YET: 'BAD_STATUS',
  NO_NOTICE: 'BAD_STATUS',
  TOO_MANY_REPORTS: 'BAD_STATUS',
  ACTIVATION_ENDED: 'BAD_STATUS',
  AGAIN_UNAVAILABLE: 'BAD_STATUS',
  RENT_CANCEL_DENIED: 'BAD_STATUS',
  EXTEND_UNAVAILABLE: 'BAD_STATUS',
  REPEAT_UNAVAILABLE: 'NO_NUMBERS',
  PAIR_PAUSED: 'BANNED',
  TOO_MANY_OPEN_NUMBERS: 'CHANNELS_LIMIT',
  SPEND_LIMIT_REACHED: 'CHANNELS_LIMIT',
  TOO_MANY_PREORDERS: 'CHANNELS_LIMIT',
  TOO_MANY_FAVORITES: 'CHANNELS_LIMIT',
  PREORDER_ENDED: 'BAD_STATUS',
  IDEMPOTENCY_CONFLICT: 'ORDER_ALREADY_EXISTS',
  // After this error it is unknown whether the order got a number.
  IN_PROGRESS: 'ERROR_SQL',
  // The API has no refusal for a stop of all sales, and clients retry on NO_NUMBERS.
  BUYING_STOPPED: 'NO_NUMBERS',
  SANDBOX_FULL: 'NO_NUMBERS',
  MAINTENANCE: 'ERROR_SQL',
  DATABASE_UNAVAILABLE: 'ERROR_SQL',
  SERVER_ERROR: 'ERROR_SQL',
}

/**
 * The errors with an HTTP status, because no text fits and a wrong text would be read as a state. All other refusals
 * have status 200, because clients ignore the text of other statuses.
 */
const HTTP_STATUSES: Partial<Record<ErrorCode, number>> = {
  TOO_MANY_REQUESTS: 429,
  MAINTENANCE: 503,
  IN_PROGRESS: 503,
  DATABASE_UNAVAILABLE: 503,
}

/** The time after which a client should retry. By then a background job has decided unknown outcomes. */
const NEXT_SWEEP_SECONDS = 5

export type Refused = { refusal: Refusal; httpStatus: number; retryAfterSeconds: number | undefined }

export function toRefusal(error: AppError): Refused {
  // Errors of sign-in have no text, because no action of this API throws them.
  const words: Partial<Record<ErrorCode, Word>> = WORD_OF
  const httpStatus = HTTP_STATUSES[error.code] ?? 200
  return {
    refusal: refusalOf(words[error.code] ?? 'ERROR_SQL', error),
    httpStatus,
    retryAfterSeconds: httpStatus === 200 ? undefined : (error.retryAfterSeconds ?? NEXT_SWEEP_SECONDS),
  }
}

/**
 * Makes the refusal of an error. WRONG_MAX_PRICE also holds the lowest price, and BANNED the time until which the buyer
 * is refused.
 */
export function refusalOf(given: Word, { code, data }: AppError, as: Refusal['as'] = 'word'): Refusal {
  const refusal = word(given, { as, code })
  if (given === 'WRONG_MAX_PRICE') return { ...refusal, lowest: String(data?.lowest ?? data?.price) }
  if (given === 'BANNED') return { ...refusal, until: new Date(String(data?.until)) }
  return refusal
}
