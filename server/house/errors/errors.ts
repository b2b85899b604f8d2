/**
 * All errors that a person or program can receive. Only http/error-reply.ts writes these errors into replies. Any other
 * thrown error is our own fault: it is logged, and the reply is 500 without details.
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

/** The program's API key is unknown. A key that does not allow the caller's IP address gets the same text. */
export function unknownKey(): AppError {
  return new AppError('UNAUTHENTICATED.key')
}

/**
 * The session ended because the person's staff role changed. `ended` makes the sign-in form show this text as the
 * reason.
 */
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

/** An API key lacks the scope that the call needs. `scope` is null if no API key may make the call. */
export function keyForbidden(scope: KeyScope | null): AppError {
  return scope === null ? new AppError('FORBIDDEN.session') : new AppError('FORBIDDEN.scope', { values: { scope } })
}

export const notFound = plain('NOT_FOUND')
export const malformedBody = plain('MALFORMED_BODY')
export const bodyTooLarge = plain('BODY_TOO_LARGE')
export const unsupportedMediaType = plain('UNSUPPORTED_MEDIA_TYPE')

export const serverError = plain('SERVER_ERROR')

/** The password is right, but the mail address is not confirmed yet. The page then asks for the code from the mail. */
export function emailNotVerified(): AppError {
  return new AppError('EMAIL_NOT_VERIFIED', { data: { action: 'verify-email' } })
}

/**
 * The mail address was registered in another browser or not at all, so the form asks for the password that was chosen
 * at registration.
 */
export function needPassword(): AppError {
  const errors = { password: [wordsOf('NEED_PASSWORD')] }
  return new AppError('NEED_PASSWORD', { errors, data: { action: 'need-password' } })
}

/** No registration of the mail address has the given password, or the registration has expired. */
export function wrongRegistration(): AppError {
  const key = 'WRONG_PASSWORD.registration'
  return new AppError(key, { errors: { password: [wordsOf(key)] } })
}

/**
 * The person wants to change how they sign in, and must confirm their identity first. `by` names the way, and a passkey
 * may replace it. The client then repeats the request.
 */
export function confirmIdentity(by: 'password' | 'two-factor' | 'sign-in', passkey = false): AppError {
  return new AppError('CONFIRM_PASSWORD', { data: { action: 'confirm-password', by, ...(passkey && { passkey }) } })
}

/** The signed-in person gave a wrong password. `field` is the form field of that password. */
export function wrongPassword(field: string): AppError {
  return new AppError('WRONG_PASSWORD', { errors: { [field]: [wordsOf('WRONG_PASSWORD')] } })
}

/**
 * The person must give an authenticator code. `pendingToken` belongs to a social sign-in and goes to POST /api/login
 * with the code. `passkey` means that a passkey may replace the code.
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

export type FieldErrors = Record<string, Words[]>

/** The service is overloaded. The caller has not exceeded any limit. */
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
