import { RENT_PERIODS_HOURS } from '#contract/constants.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Word } from '#server/adapters/handler-api/wire/words.ts'

export type Envelope = { title: string; status: number; details?: string; info?: Record<string, unknown> }

const FIELD = (field: string, code = 'INVALID'): Envelope => ({
  title: 'UNPROCESSABLE_ENTITY',
  status: 422,
  details: 'Validation failed',
  info: { field, code },
})
const NOT_FOUND: Envelope = { title: 'NOT_FOUND', status: 404 }
const LONGEST_HOURS = Math.max(...RENT_PERIODS_HOURS)
const HOURS = { min: RENT_PERIODS_HOURS[0], max: LONGEST_HOURS, available_durations: RENT_PERIODS_HOURS }

/** The refusals sent as a JSON object. All others are plain text, such as HeroSMS's NO_NUMBERS. */
export const ENVELOPES: Partial<Record<Word, Envelope>> = {
  BAD_KEY: { title: 'BAD_KEY', status: 401, details: 'Unauthorized' },
  NO_KEY: FIELD('api_key', 'REQUIRED'),
  BAD_ACTION: { title: 'BAD_ACTION', status: 404, details: 'Method Not Found' },
  BAD_SERVICE: FIELD('service'),
  WRONG_SERVICE: FIELD('service'),
  BAD_COUNTRY: FIELD('country'),
  BAD_OPERATOR: FIELD('operator'),
  BAD_DATA: FIELD('data'),
  WRONG_EXCEPTION_PHONE: FIELD('phoneException'),
  BAD_STATUS: { title: 'BAD_STATUS', status: 400 },
  NO_BALANCE: { title: 'NO_BALANCE', status: 402 },
  NO_ACTIVATION: NOT_FOUND,
  WRONG_ACTIVATION_ID: NOT_FOUND,
  INVALID_ACTIVATION_ID: NOT_FOUND,
  WRONG_MAX_PRICE: { title: 'WRONG_MAX_PRICE', status: 400 },
  BANNED: { title: 'BANNED', status: 403 },
  CHANNELS_LIMIT: { title: 'CHANNELS_LIMIT', status: 403 },
  ACCOUNT_INACTIVE: { title: 'ACCOUNT_INACTIVE', status: 403 },
  /** The JSON object also has `minActivationTime`, in seconds. */
  EARLY_CANCEL_DENIED: { title: 'EARLY_CANCEL_DENIED', status: 409 },
  RENEW_ACTIVATION_NOT_AVAILABLE: { title: 'SERVICE_NOT_AVAILABLE', status: 403 },
  NEW_ACTIVATION_IMPOSSIBLE: { title: 'SERVICE_NOT_AVAILABLE', status: 403 },
  ACTIVATION_NOT_ACTIVE: { title: 'ACTIVATION_NOT_ACTIVE', status: 409 },
  NO_ID_RENT: FIELD('id', 'REQUIRED'),
  INVALID_PHONE: NOT_FOUND,
  OUT_OF_STOCK: { title: 'NO_NUMBERS', status: 404 },
  INCORECT_STATUS: { title: 'BAD_STATUS', status: 400 },
  CANT_CANCEL: { title: 'FREE_CANCELLATION_EXPIRED', status: 409 },
  ALREADY_FINISH: { title: 'ACTIVATION_NOT_ACTIVE', status: 409 },
  ALREADY_CANCEL: { title: 'ACTIVATION_NOT_ACTIVE', status: 409 },
  RENT_DIE: { title: 'ACTION_NOT_AVAILABLE', status: 400 },
  INVALID_TIME: { title: 'BAD_DURATION', status: 400, info: HOURS },
  MAX_HOURS_EXCEEDED: { title: 'MAX_HOURS_EXCEEDED', status: 400, info: { max: LONGEST_HOURS } },
  ERROR_SQL: { title: 'SERVER_ERROR', status: 500 },
}

/** The errors that get a JSON object of their own, because BAD_STATUS says too little. */
export const BY_ERROR: Partial<Record<ErrorCode, Envelope>> = {
  CODE_ALREADY_RECEIVED: { title: 'OTP_RECEIVED', status: 409 },
  ACTIVATION_ENDED: { title: 'ACTIVATION_NOT_ACTIVE', status: 409 },
}
