/**
 * The catalogue of everything a person or program can be told, in the words of contract/words. A verb throws one of these;
 * http/error-reply.ts alone writes it out. Anything else that is thrown is a fault of ours: 500, logged, nothing of it shown.
 */
import type { KeyScope } from '#contract/api-key.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { type Worded, type Words, type WordsKey, wordsOf } from './error-words.ts'

export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly httpStatus: number
  readonly words: Words
  readonly errors: Record<string, Words[]> | undefined
  readonly data: Record<string, unknown> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(input: {
    code: ErrorCode
    httpStatus: number
    words: Words
    errors?: Record<string, Words[]>
    data?: Record<string, unknown>
    retryAfterSeconds?: number
  }) {
    super(`${input.code}: ${input.words.en}`)
    this.code = input.code
    this.httpStatus = input.httpStatus
    this.words = input.words
    this.errors = input.errors
    this.data = input.data
    this.retryAfterSeconds = input.retryAfterSeconds
  }
}

/** An error that needs no values. `key`: its sentence, where the code has several. */
export function plain(code: Worded, httpStatus: number, key: WordsKey = code): () => AppError {
  return () => new AppError({ code, httpStatus, words: wordsOf(key) })
}

export const unauthenticated = plain('UNAUTHENTICATED', 401)

/** Of a program: nobody logs in there. An address that the key does not allow has the same words. */
export function unknownKey(): AppError {
  return new AppError({ code: 'UNAUTHENTICATED', httpStatus: 401, words: wordsOf('UNAUTHENTICATED.key') })
}

/** The sign-in form shows its words, as `ended` says that they are a reason. */
export function endedByRole(): AppError {
  const words = wordsOf('UNAUTHENTICATED.role')
  return new AppError({ code: 'UNAUTHENTICATED', httpStatus: 401, words, data: { ended: 'role' } })
}

export const wrongCredentials = plain('WRONG_CREDENTIALS', 422)
export const wrongCode = plain('WRONG_CODE', 422)
export const codeExpired = plain('CODE_EXPIRED', 422)
export const tokenExpired = plain('TOKEN_EXPIRED', 422)
export const twoFactorOn = plain('TWO_FACTOR_ON', 409)
export const captchaFailed = plain('CAPTCHA_FAILED', 422)
export const emailTaken = plain('EMAIL_TAKEN', 409)
export const identityTaken = plain('IDENTITY_TAKEN', 409)
export const lastWayIn = plain('LAST_WAY_IN', 409)
export const exportOnceADay = plain('EXPORT_ONCE_A_DAY', 409)
export const authFailed = plain('AUTH_FAILED', 422)
export const passkeyFailed = plain('PASSKEY_FAILED', 422)
export const passkeyTaken = plain('PASSKEY_TAKEN', 409)
export const blocked = plain('BLOCKED', 403)
export const forbidden = plain('FORBIDDEN', 403)

/** Of a key: which scope the call needs, or that no key makes it. */
export function keyForbidden(scope: KeyScope | null): AppError {
  const words = scope === null ? wordsOf('FORBIDDEN.session') : wordsOf('FORBIDDEN.scope', { scope })
  return new AppError({ code: 'FORBIDDEN', httpStatus: 403, words })
}

export const notFound = plain('NOT_FOUND', 404)
export const malformedBody = plain('MALFORMED_BODY', 400)
export const bodyTooLarge = plain('BODY_TOO_LARGE', 413)
export const unsupportedMediaType = plain('UNSUPPORTED_MEDIA_TYPE', 415)

export const serverError = plain('SERVER_ERROR', 500)

/** The password is right, the address is not proved yet: the page goes on with its code. */
export function emailNotVerified(): AppError {
  return new AppError({
    code: 'EMAIL_NOT_VERIFIED',
    httpStatus: 422,
    words: wordsOf('EMAIL_NOT_VERIFIED'),
    data: { action: 'verify-email' },
  })
}

/** Another browser registered this address, or none did: the form asks for the password it was registered with. */
export function needPassword(): AppError {
  const words = wordsOf('NEED_PASSWORD')
  const data = { action: 'need-password' }
  return new AppError({ code: 'NEED_PASSWORD', httpStatus: 422, words, errors: { password: [words] }, data })
}

/** No registration of this address has that password, or it waits no longer. */
export function wrongRegistration(): AppError {
  const words = wordsOf('WRONG_PASSWORD.registration')
  return new AppError({ code: 'WRONG_PASSWORD', httpStatus: 422, words, errors: { password: [words] } })
}

/** A change of how somebody signs in: he shows once more who he is, in the way `by` says or by a passkey, and asks again. */
export function confirmIdentity(by: 'password' | 'two-factor' | 'sign-in', passkey = false): AppError {
  return new AppError({
    code: 'CONFIRM_PASSWORD',
    httpStatus: 403,
    words: wordsOf('CONFIRM_PASSWORD'),
    data: { action: 'confirm-password', by, ...(passkey && { passkey }) },
  })
}

/** Of somebody who is signed in. `field`: where the form asked for it. */
export function wrongPassword(field: string): AppError {
  const words = wordsOf('WRONG_PASSWORD')
  return new AppError({ code: 'WRONG_PASSWORD', httpStatus: 422, words, errors: { [field]: [words] } })
}

/** `pendingToken`: of a social sign-in, to go to POST /api/login with the code. `passkey`: one may stand for the code. */
export function need2faCode({
  pendingToken,
  passkey,
}: {
  pendingToken?: string | undefined
  passkey: boolean
}): AppError {
  return new AppError({
    code: 'NEED_2FA_CODE',
    httpStatus: 422,
    words: wordsOf('NEED_2FA_CODE'),
    data: {
      action: 'need-2fa-code',
      ...(pendingToken !== undefined && { pending_token: pendingToken }),
      ...(passkey && { passkey }),
    },
  })
}

export function tooManyKeys(limit: number): AppError {
  return new AppError({
    code: 'TOO_MANY_KEYS',
    httpStatus: 409,
    words: wordsOf('TOO_MANY_KEYS', { limit }),
    data: { limit },
  })
}

/** `limit`: webhooks of one person. */
export function tooManyWebhooks(limit: number): AppError {
  return new AppError({ code: 'TOO_MANY_WEBHOOKS', httpStatus: 409, words: wordsOf('TOO_MANY_WEBHOOKS', { limit }) })
}

/** Nothing is sent to it until it is turned on. */
export function webhookOff(): AppError {
  return new AppError({ code: 'WEBHOOK_OFF', httpStatus: 409, words: wordsOf('WEBHOOK_OFF') })
}

/** `limit`: passkeys of one person. */
export function tooManyPasskeys(limit: number): AppError {
  return new AppError({ code: 'TOO_MANY_PASSKEYS', httpStatus: 409, words: wordsOf('TOO_MANY_PASSKEYS', { limit }) })
}

export function tooManyRequests(retryAfterSeconds: number): AppError {
  return new AppError({
    code: 'TOO_MANY_REQUESTS',
    httpStatus: 429,
    words: wordsOf('TOO_MANY_REQUESTS', { seconds: retryAfterSeconds }),
    retryAfterSeconds,
  })
}

export type FieldErrors = Record<string, Words[]>

/** Nobody did too much; there is more to do than can be done. */
export function tooBusy(retryAfterSeconds: number): AppError {
  return new AppError({
    code: 'TOO_MANY_REQUESTS',
    httpStatus: 503,
    words: wordsOf('TOO_MANY_REQUESTS.busy', { seconds: retryAfterSeconds }),
    retryAfterSeconds,
  })
}

/** Field by field what is wrong, in both languages. */
export function invalidInput(errors: FieldErrors): AppError {
  return new AppError({
    code: 'INVALID_INPUT',
    httpStatus: 422,
    words: wordsOf('INVALID_INPUT'),
    errors,
  })
}

const HEAL_SECONDS = 2
export function databaseUnavailable(): AppError {
  return new AppError({
    code: 'DATABASE_UNAVAILABLE',
    httpStatus: 503,
    words: wordsOf('DATABASE_UNAVAILABLE'),
    retryAfterSeconds: HEAL_SECONDS,
  })
}

const STOPPED_SECONDS = 60

export function maintenance(message: string): AppError {
  return new AppError({
    code: 'MAINTENANCE',
    httpStatus: 503,
    words: { ru: message, en: message },
    retryAfterSeconds: STOPPED_SECONDS,
  })
}
