/**
 * Only http/error-reply.ts writes these errors into replies. Any other thrown error is our own fault: it is logged, and
 * the reply is 500 without details.
 */
import type { KeyScope } from '#contract/api-key.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { codeOf, type SentenceKey, statusOf, type Words, wordsOf } from './error-words.ts'

export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly httpStatus: number
  readonly words: Words
  readonly errors: FieldErrors | undefined
  readonly data: Record<string, unknown> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    key: SentenceKey,
    more: {
      values?: Record<string, string | number>
      errors?: FieldErrors
      data?: Record<string, unknown>
      retryAfterSeconds?: number
    } = {},
  ) {
    const words = wordsOf(key, more.values)
    const code = codeOf(key)
    super(`${code}: ${words.en}`)
    this.code = code
    this.httpStatus = statusOf(key)
    this.words = words
    this.errors = more.errors
    this.data = more.data
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

export function plain(key: SentenceKey): () => AppError {
  return () => new AppError(key)
}

export const unauthenticated = plain('UNAUTHENTICATED')

/** Returns the error for an unknown API key. A key that does not allow the caller's IP address gets the same text. */
export function unknownKey(): AppError {
  return new AppError('UNAUTHENTICATED.key')
}

/** Returns the error that a change of the staff role ended the session. `ended` tells the sign-in form why. */
export function endedByRole(): AppError {
  return new AppError('UNAUTHENTICATED.role', { data: { ended: 'role' } })
}

export const wrongCredentials = plain('WRONG_CREDENTIALS')
export const wrongCode = plain('WRONG_CODE')
export const codeExpired = plain('CODE_EXPIRED')
export const tokenExpired = plain('TOKEN_EXPIRED')
export const twoFactorOn = plain('TWO_FACTOR_ON')
export const captchaFailed = plain('CAPTCHA_FAILED')
export const emailTaken = plain('EMAIL_TAKEN')
export const identityTaken = plain('IDENTITY_TAKEN')
export const lastWayIn = plain('LAST_WAY_IN')
export const exportOnceADay = plain('EXPORT_ONCE_A_DAY')
export const authFailed = plain('AUTH_FAILED')
export const passkeyFailed = plain('PASSKEY_FAILED')
export const passkeyTaken = plain('PASSKEY_TAKEN')
export const blocked = plain('BLOCKED')
export const forbidden = plain('FORBIDDEN')

/** Returns the error that the API key lacks a scope. `scope` is null if no API key may make the call. */
export function keyForbidden(scope: KeyScope | null): AppError {
  return scope === null ? new AppError('FORBIDDEN.session') : new AppError('FORBIDDEN.scope', { values: { scope } })
}

export const notFound = plain('NOT_FOUND')
export const malformedBody = plain('MALFORMED_BODY')
export const bodyTooLarge = plain('BODY_TOO_LARGE')
export const unsupportedMediaType = plain('UNSUPPORTED_MEDIA_TYPE')

export const serverError = plain('SERVER_ERROR')

/** Returns the error of a right password but an unconfirmed mail address. The page then asks for the mailed code. */
export function emailNotVerified(): AppError {
  return new AppError('EMAIL_NOT_VERIFIED', { data: { action: 'verify-email' } })
}

/** Returns the error that asks for the password chosen at registration, if this browser has no open registration. */
export function needPassword(): AppError {
  const errors = { password: [wordsOf('NEED_PASSWORD')] }
  return new AppError('NEED_PASSWORD', { errors, data: { action: 'need-password' } })
}

/** Returns the error that no current registration of the mail address has the given password. */
export function wrongRegistration(): AppError {
  const key = 'WRONG_PASSWORD.registration'
  return new AppError(key, { errors: { password: [wordsOf(key)] } })
}

/**
 * Returns the error that asks a person to confirm their identity before a change of sign-in methods. `by` says how; if
 * `passkey`, also by passkey.
 */
export function confirmIdentity(by: 'password' | 'two-factor' | 'sign-in', passkey = false): AppError {
  return new AppError('CONFIRM_PASSWORD', { data: { action: 'confirm-password', by, ...(passkey && { passkey }) } })
}

/** Returns the error that the signed-in person's password is wrong. `field` is the form field to mark. */
export function wrongPassword(field: string): AppError {
  return new AppError('WRONG_PASSWORD', { errors: { [field]: [wordsOf('WRONG_PASSWORD')] } })
}

/**
 * Returns the error that asks for an authenticator code. `pendingToken` comes from a social sign-in and is sent to POST
 * /api/login with the code. A passkey may replace the code if `passkey` is set.
 */
export function need2faCode({
  pendingToken,
  passkey,
}: {
  pendingToken?: string | undefined
  passkey: boolean
}): AppError {
  return new AppError('NEED_2FA_CODE', {
    data: {
      action: 'need-2fa-code',
      ...(pendingToken !== undefined && { pending_token: pendingToken }),
      ...(passkey && { passkey }),
    },
  })
}

export function tooManyKeys(limit: number): AppError {
  return new AppError('TOO_MANY_KEYS', { values: { limit }, data: { limit } })
}

export function tooManyWebhooks(limit: number): AppError {
  return new AppError('TOO_MANY_WEBHOOKS', { values: { limit } })
}

export function webhookOff(): AppError {
  return new AppError('WEBHOOK_OFF')
}

export function tooManyPasskeys(limit: number): AppError {
  return new AppError('TOO_MANY_PASSKEYS', { values: { limit } })
}

export function tooManyRequests(retryAfterSeconds: number): AppError {
  return new AppError('TOO_MANY_REQUESTS', { values: { seconds: retryAfterSeconds }, retryAfterSeconds })
}

/** Returns the error that this network has had its guests of the demo. */
export function tooManyGuests(retryAfterSeconds: number): AppError {
  return new AppError('TOO_MANY_GUESTS', { retryAfterSeconds })
}

export type FieldErrors = Record<string, Words[]>

/** Returns the error that the service is overloaded. The caller has not exceeded any limit. */
export function tooBusy(retryAfterSeconds: number): AppError {
  return new AppError('TOO_MANY_REQUESTS.busy', { values: { seconds: retryAfterSeconds }, retryAfterSeconds })
}

export function invalidInput(errors: FieldErrors): AppError {
  return new AppError('INVALID_INPUT', { errors })
}

const HEAL_SECONDS = 2
export function databaseUnavailable(): AppError {
  return new AppError('DATABASE_UNAVAILABLE', { retryAfterSeconds: HEAL_SECONDS })
}

const STOPPED_SECONDS = 60

export function maintenance(message: string): AppError {
  return new AppError('MAINTENANCE', { values: { message }, retryAfterSeconds: STOPPED_SECONDS })
}
