import { RENT_PERIODS_HOURS } from '#contract/constants.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { SECOND } from '#contract/time.ts'
import type { Refusal } from '../answer.ts'
import type { Word } from '../words.ts'
import type { Dialect } from './dialects.ts'
import { protocolTime } from './times.ts'

/** `status`: what HeroSMS sends with it. */
export type Said = { text: string; isJson: boolean; status: number }

/** How this dialect writes a refusal. */
export function sayRefusal(dialect: Dialect, refusal: Refusal): Said {
  const envelope = dialect.refusals === 'envelopes' ? envelopeOf(refusal) : null
  if (envelope !== null) return envelope
  const word = refusal.word === 'BAD_SERVICE' ? dialect.unknownService : refusal.word
  switch (refusal.as) {
    case 'filter':
      return asJson(filterRefusal(dialect, refusal))
    case 'rent': {
      const info = refusal.info ?? infoOf(refusal)
      return asJson({ status: 'error', message: word, ...(info && { info }) })
    }
    case 'word':
      return { text: withField(dialect, word, refusal), isJson: false, status: 200 }
    default:
      return refusal.as satisfies never
  }
}

function asJson(value: object, status = 200): Said {
  return { text: JSON.stringify(value), isJson: true, status }
}

function filterRefusal({ wrongFilter }: Dialect, { word }: Refusal): object {
  const isCountry = word === 'BAD_COUNTRY'
  if (wrongFilter === 'error') return { error: isCountry ? 'Bad country' : 'Bad service' }
  return { status: 'false', msg: isCountry ? 'country is incorrect' : 'service is incorrect' }
}

/** Clients split at ":", so the time has dashes. */
function withField(dialect: Dialect, word: string, { lowest, until }: Refusal): string {
  if (lowest !== undefined) return `${word}:${lowest}`
  if (until === undefined) return word
  const times = dialect.times === 'offset' ? 'naive' : dialect.times
  return `${word}:${protocolTime({ times }, until).replaceAll(':', '-')}`
}

function infoOf({ lowest, until }: Refusal): Record<string, unknown> | undefined {
  if (lowest !== undefined) return { min: lowest }
  return until === undefined ? undefined : { banned_until: until.toISOString() }
}

type Envelope = { title: string; status: number; details?: string; info?: Record<string, unknown> }

const FIELD = (field: string, code = 'INVALID'): Envelope => ({
  ...{ title: 'UNPROCESSABLE_ENTITY', status: 422, details: 'Validation failed' },
  info: { field, code },
})
const NOT_FOUND: Envelope = { title: 'NOT_FOUND', status: 404 }
const LONGEST_HOURS = Math.max(...RENT_PERIODS_HOURS)
const HOURS = { min: RENT_PERIODS_HOURS[0], max: LONGEST_HOURS, available_durations: RENT_PERIODS_HOURS }

/** What is not here stays a word, as HeroSMS's NO_NUMBERS does. */
const ENVELOPES: Partial<Record<Word, Envelope>> = {
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
  EARLY_CANCEL_DENIED: { title: 'EARLY_CANCEL_DENIED', status: 409, info: { minActivationTime: 120 } },
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
  RATE_LIMIT: { title: 'RATE_LIMIT', status: 429 },
  ERROR_SQL: { title: 'SERVER_ERROR', status: 500 },
}

/** Where BAD_STATUS says too little. */
const BY_ERROR: Partial<Record<ErrorCode, Envelope>> = {
  CODE_ALREADY_RECEIVED: { title: 'OTP_RECEIVED', status: 409 },
  ACTIVATION_ENDED: { title: 'ACTIVATION_NOT_ACTIVE', status: 409 },
}

function envelopeOf(refusal: Refusal): Said | null {
  const { word, as, code, lowest, until } = refusal
  if (as === 'filter') return null
  if (word === 'NO_NUMBERS' && as === 'rent') return enveloped({ title: 'NO_NUMBERS', status: 404 })
  const special = word === 'BAD_STATUS' && code !== undefined ? BY_ERROR[code] : undefined
  const envelope = special ?? ENVELOPES[word]
  if (envelope === undefined) return null
  if (lowest !== undefined) return enveloped({ ...envelope, info: { min: Number(lowest) } })
  if (until === undefined) return enveloped(envelope)
  const readable = protocolTime({ times: 'naive' }, until)
  return enveloped({
    ...envelope,
    info: { scope: 'specific', banned_until: Math.floor(until.getTime() / SECOND), readable_date: readable },
  })
}

function enveloped({ title, status, details = title, info }: Envelope): Said {
  return asJson({ title, details, ...(info && { info }) }, status)
}
