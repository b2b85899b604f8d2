import type {
  AccountErrorCode,
  ErrorCode,
  PaymentErrorCode,
  StaffErrorCode,
  SupportErrorCode,
  TelegramErrorCode,
} from '#contract/errors.ts'
import type { AppError } from '#server/house/errors/errors.ts'
import type { Word } from '../wire/words.ts'

/** A refusal. If `word` is null, the reply has a status but no text. */
export type Refused = { word: Word | null; httpStatus: number; retryAfterSeconds?: number | undefined }

const DEFAULT_STATUS = 400
const STATUSES: Partial<Record<Word, number>> = {
  'not found': 404,
  'internal error': 500,
  'too many requests': 429,
}

/** The errors that need a more precise HTTP status than the default status of their text. */
const STATUS_OF: Partial<Record<ErrorCode, number>> = { MAINTENANCE: 503, DATABASE_UNAVAILABLE: 503 }

const REFUSED_KEY: Refused = { word: null, httpStatus: 401 }

/** Maps our error codes to 5sim's error texts. A single call may override a text. */
export const WORD_OF: Record<
  Exclude<ErrorCode, AccountErrorCode | PaymentErrorCode | SupportErrorCode | StaffErrorCode | TelegramErrorCode>,
  Word | null
> = {
  UNAUTHENTICATED: null,
  WRONG_CREDENTIALS: null,
  FORBIDDEN: null,
  BLOCKED: null,
  NOT_FOUND: 'order not found',
  INVALID_INPUT: 'bad request',
  MALFORMED_BODY: 'bad request',
  BODY_TOO_LARGE: 'bad request',
  UNSUPPORTED_MEDIA_TYPE: 'bad request',
  TOO_MANY_REQUESTS: 'too many requests',
  NO_NUMBERS: 'no free phones',
  NO_BALANCE: 'not enough user balance',
  IN_DEBT: 'not enough user balance',
  PRICE_CHANGED: 'no free phones',
  MAX_PRICE_TOO_LOW: 'no free phones',
  BAD_SERVICE: 'no product',
  BAD_COUNTRY: 'bad country',
  BAD_OPERATOR: 'bad operator',
  EARLY_CANCEL_DENIED: 'cancel too early',
  CODE_ALREADY_RECEIVED: 'order has sms',
  NO_CODE_YET: 'order no sms',
  NO_NOTICE: 'order no sms',
  TOO_MANY_REPORTS: 'order has sms',
  ACTIVATION_ENDED: 'order expired',
  AGAIN_UNAVAILABLE: 'order expired',
  RENT_CANCEL_DENIED: 'hosting order',
  EXTEND_UNAVAILABLE: 'hosting order',
  REPEAT_UNAVAILABLE: 'reuse not possible',
  // Only one pair of service and country is paused. A client that reads "rating" would stop buying everything.
  PAIR_PAUSED: 'no free phones',
  TOO_MANY_OPEN_NUMBERS: 'not enough rating',
  SPEND_LIMIT_REACHED: 'not enough rating',
  TOO_MANY_PREORDERS: 'not enough rating',
  TOO_MANY_FAVORITES: 'bad request',
  PREORDER_ENDED: 'order expired',
  IDEMPOTENCY_CONFLICT: 'bad request',
  BUYING_STOPPED: 'server offline',
  MAINTENANCE: 'server offline',
  SANDBOX_FULL: 'no free phones',
  // After these errors it is unknown whether a number was bought, so no refusal may be sent.
  IN_PROGRESS: 'internal error',
  DATABASE_UNAVAILABLE: 'internal error',
  SERVER_ERROR: 'internal error',
}

export function refused(word: Word, httpStatus = STATUSES[word] ?? DEFAULT_STATUS): Refused {
  return { word, httpStatus }
}

export function toRefused(error: AppError): Refused {
  // Errors of sign-in have no text, because no call of this API throws them.
  const words: Partial<Record<ErrorCode, Word | null>> = WORD_OF
  const word = words[error.code]
  if (word === null) return REFUSED_KEY
  return { ...refused(word ?? 'internal error', STATUS_OF[error.code]), retryAfterSeconds: error.retryAfterSeconds }
}
