/**
 * The catalogue of everything a person or program can be told, in the words of contract/words. A verb throws one of these;
 * http/error-reply.ts alone writes it out. Anything else that is thrown is a fault of ours: 500, logged, nothing of it shown.
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

  /** `values` are those that the sentence names. */
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

/** An error that needs no values. */
export function plain(key: SentenceKey): () => AppError {
  return () => new AppError(key)
}

export const unauthenticated = plain('UNAUTHENTICATED')

/** Of a program: nobody logs in there. An address that the key does not allow has the same words. */
export function unknownKey(): AppError {
  return new AppError('UNAUTHENTICATED.key')
}

/** The sign-in form shows its words, as `ended` says that they are a reason. */
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

/** Of a key: which scope the call needs, or that no key makes it. */
export function keyForbidden(scope: KeyScope | null): AppError {
  return scope === null ? new AppError('FORBIDDEN.session') : new AppError('FORBIDDEN.scope', { values: { scope } })
}

export const notFound = plain('NOT_FOUND')
export const malformedBody = plain('MALFORMED_BODY')
export const bodyTooLarge = plain('BODY_TOO_LARGE')
export const unsupportedMediaType = plain('UNSUPPORTED_MEDIA_TYPE')

export const serverError = plain('SERVER_ERROR')

/** The password is right, the address is not proved yet: the page goes on with its code. */
export function emailNotVerified(): AppError {
  return new AppError('EMAIL_NOT_VERIFIED', { data: { action: 'verify-email' } })
}

/** Another browser registered this address, or none did: the form asks for the password it was registered with. */
export function needPassword(): AppError {
  const errors = { password: [wordsOf('NEED_PASSWORD')] }
  return new AppError('NEED_PASSWORD', { errors, data: { action: 'need-password' } })
}

/** No registration of this address has that password, or it waits no longer. */
export function wrongRegistration(): AppError {
  const key = 'WRONG_PASSWORD.registration'
  return new AppError(key, { errors: { password: [wordsOf(key)] } })
}

/** A change of how somebody signs in: he shows once more who he is, in the way `by` says or by a passkey, and asks again. */
export function confirmIdentity(by: 'password' | 'two-factor' | 'sign-in', passkey = false): AppError {
  return new AppError('CONFIRM_PASSWORD', { data: { action: 'confirm-password', by, ...(passkey && { passkey }) } })
}

/** Of somebody who is signed in. `field`: where the form asked for it. */
export function wrongPassword(field: string): AppError {
  return new AppError('WRONG_PASSWORD', { errors: { [field]: [wordsOf('WRONG_PASSWORD')] } })
}

/** `pendingToken`: of a social sign-in, to go to POST /api/login with the code. `passkey`: one may stand for the code. */
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

/** `limit`: webhooks of one person. */
export function tooManyWebhooks(limit: number): AppError {
  return new AppError('TOO_MANY_WEBHOOKS', { values: { limit } })
}

/** Nothing is sent to it until it is turned on. */
export function webhookOff(): AppError {
  return new AppError('WEBHOOK_OFF')
}

/** `limit`: passkeys of one person. */
export function tooManyPasskeys(limit: number): AppError {
  return new AppError('TOO_MANY_PASSKEYS', { values: { limit } })
}

export function tooManyRequests(retryAfterSeconds: number): AppError {
  return new AppError('TOO_MANY_REQUESTS', { values: { seconds: retryAfterSeconds }, retryAfterSeconds })
}

export type FieldErrors = Record<string, Words[]>

/** Nobody did too much; there is more to do than can be done. */
export function tooBusy(retryAfterSeconds: number): AppError {
  return new AppError('TOO_MANY_REQUESTS.busy', { values: { seconds: retryAfterSeconds }, retryAfterSeconds })
}

/** Field by field what is wrong, in both languages. */
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
