/** `message` is in the caller's language and says what to do. */
export type ErrorReply = {
  status: false
  code: string
  message: string
  errors?: Record<string, string[]>
  data?: { action?: string } & Record<string, unknown>
}

export const ACCOUNT_ERROR_CODES = [
  'EMAIL_NOT_VERIFIED',
  'NEED_PASSWORD',
  'CONFIRM_PASSWORD',
  'NEED_2FA_CODE',
  'WRONG_CODE',
  'CODE_EXPIRED',
  'TOKEN_EXPIRED',
  'TWO_FACTOR_ON',
  'WRONG_PASSWORD',
  'CAPTCHA_FAILED',
  'EMAIL_TAKEN',
  'IDENTITY_TAKEN',
  'LAST_WAY_IN',
  'EXPORT_ONCE_A_DAY',
  'AUTH_FAILED',
] as const

export const PAYMENT_ERROR_CODES = [
  'BAD_PAYMENT_SYSTEM',
  'TOO_MANY_PAYMENTS',
  'PAYMENT_ENDED',
  'GATEWAY_UNAVAILABLE',
  'BAD_VOUCHER',
  'VOUCHER_SPENT',
  'WITHDRAWAL_OPEN',
  'WITHDRAWALS_CLOSED',
] as const

export const ERROR_CODES = [
  'UNAUTHENTICATED',
  'WRONG_CREDENTIALS',
  ...ACCOUNT_ERROR_CODES,
  ...PAYMENT_ERROR_CODES,
  'BLOCKED',
  'FORBIDDEN',
  'NOT_FOUND',
  'INVALID_INPUT',
  'MALFORMED_BODY',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'TOO_MANY_REQUESTS',
  'NO_NUMBERS',
  'NO_BALANCE',
  'IN_DEBT',
  'PRICE_CHANGED',
  'MAX_PRICE_TOO_LOW',
  'BAD_SERVICE',
  'BAD_COUNTRY',
  'BAD_OPERATOR',
  'EARLY_CANCEL_DENIED',
  'CODE_ALREADY_RECEIVED',
  'NO_CODE_YET',
  'ACTIVATION_ENDED',
  'AGAIN_UNAVAILABLE',
  'RENT_CANCEL_DENIED',
  'EXTEND_UNAVAILABLE',
  'REPEAT_UNAVAILABLE',
  'PAIR_PAUSED',
  'TOO_MANY_OPEN_NUMBERS',
  'SPEND_LIMIT_REACHED',
  'TOO_MANY_PREORDERS',
  'PREORDER_ENDED',
  'IDEMPOTENCY_CONFLICT',
  'IN_PROGRESS',
  'BUYING_STOPPED',
  'MAINTENANCE',
  'DATABASE_UNAVAILABLE',
  'SERVER_ERROR',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]
export type AccountErrorCode = (typeof ACCOUNT_ERROR_CODES)[number]
export type PaymentErrorCode = (typeof PAYMENT_ERROR_CODES)[number]
