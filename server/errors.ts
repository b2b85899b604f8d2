/**
 * The catalogue of everything a person or program can be told. A verb throws one of these; http/error-reply.ts alone
 * writes it out. Anything else that is thrown is a fault of ours: 500, logged, and nothing of it shown.
 */
import type { Locale } from '#contract/constants.ts'
import type { ErrorCode } from '#contract/errors.ts'

type Words = Record<Locale, string>

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

export function plain(code: ErrorCode, httpStatus: number, ru: string, en: string): () => AppError {
  return () => new AppError({ code, httpStatus, words: { ru, en } })
}

export const unauthenticated = plain('UNAUTHENTICATED', 401, 'Войдите, чтобы продолжить', 'Log in to continue')
export const wrongCredentials = plain(
  'WRONG_CREDENTIALS',
  422,
  'Неверная почта или пароль',
  'The e-mail or the password is wrong',
)
export const wrongCode = plain('WRONG_CODE', 422, 'Код неверный', 'The code is wrong')
export const codeExpired = plain(
  'CODE_EXPIRED',
  422,
  'Код больше не действует. Запросите новый',
  'This code is no longer good. Ask for a new one',
)
export const tokenExpired = plain(
  'TOKEN_EXPIRED',
  422,
  'Ссылка больше не действует. Запросите новую',
  'This link is no longer good. Ask for a new one',
)
export const twoFactorOn = plain(
  'TWO_FACTOR_ON',
  409,
  'Вход по коду уже включён. Чтобы настроить его заново, сначала выключите',
  'Two-factor login is on already. To set it up anew, turn it off first',
)
export const captchaFailed = plain(
  'CAPTCHA_FAILED',
  422,
  'Проверка от роботов не пройдена, попробуйте ещё раз',
  'The check against robots failed, try again',
)
export const emailTaken = plain(
  'EMAIL_TAKEN',
  409,
  'С этой почтой уже есть аккаунт. Войдите в него как раньше и привяжите профиль в настройках',
  'There is an account with this e-mail. Log in to it as before and link this profile in the settings',
)
export const identityTaken = plain(
  'IDENTITY_TAKEN',
  409,
  'Этот профиль уже привязан к другому аккаунту',
  'This profile is already linked to another account',
)
export const lastWayIn = plain(
  'LAST_WAY_IN',
  409,
  'Это единственный способ войти. Сначала задайте пароль или привяжите другой профиль',
  'This is the only way to log in. Set a password or link another profile first',
)
export const authFailed = plain(
  'AUTH_FAILED',
  422,
  'Войти через этот сервис не получилось, попробуйте ещё раз',
  'Logging in through this service failed, try again',
)
export const blocked = plain(
  'BLOCKED',
  403,
  'Аккаунт заблокирован. Напишите в поддержку',
  'This account is blocked. Write to support',
)
export const forbidden = plain('FORBIDDEN', 403, 'Это действие вам недоступно', 'You may not do this')
export const notFound = plain('NOT_FOUND', 404, 'Не найдено', 'Not found')
export const malformedBody = plain('MALFORMED_BODY', 400, 'Запрос не разобрать', 'The request body cannot be read')
export const bodyTooLarge = plain('BODY_TOO_LARGE', 413, 'Запрос слишком большой', 'The request body is too large')
export const unsupportedMediaType = plain(
  'UNSUPPORTED_MEDIA_TYPE',
  415,
  'Такой тип содержимого не принимается',
  'This content type is not accepted',
)

export const serverError = plain(
  'SERVER_ERROR',
  500,
  'Ошибка сервера, попробуйте позже',
  'Server error, try again later',
)

/** The password is right, the address is not proved yet: the page goes on with its code. */
export function emailNotVerified(): AppError {
  return new AppError({
    code: 'EMAIL_NOT_VERIFIED',
    httpStatus: 422,
    words: { ru: 'Подтвердите почту кодом из письма', en: 'Confirm your e-mail with the code we sent' },
    data: { action: 'verify-email' },
  })
}

/** Another browser registered this address, or none did: the form asks for the password it was registered with. */
export function needPassword(): AppError {
  const words = {
    ru: 'Введите пароль, который задали при регистрации: она начата в другом браузере',
    en: 'Enter the password you registered with: it was in another browser',
  }
  const data = { action: 'need-password' }
  return new AppError({ code: 'NEED_PASSWORD', httpStatus: 422, words, errors: { password: [words] }, data })
}

/** No registration of this address has that password, or it waits no longer. */
export function wrongRegistration(): AppError {
  const words = {
    ru: 'Пароль не тот, или регистрация устарела: тогда начните её заново',
    en: 'The password is wrong, or the registration has expired: then start it again',
  }
  return new AppError({ code: 'WRONG_PASSWORD', httpStatus: 422, words, errors: { password: [words] } })
}

/** A change of how somebody signs in: he shows once more who he is, in the way `by` says, and asks again. */
export function confirmIdentity(by: 'password' | 'two-factor' | 'sign-in'): AppError {
  return new AppError({
    code: 'CONFIRM_PASSWORD',
    httpStatus: 403,
    words: { ru: 'Подтвердите, что это вы, и повторите', en: 'Show that it is you, and try again' },
    data: { action: 'confirm-password', by },
  })
}

/** Of somebody who is signed in. `field`: where the form asked for it. */
export function wrongPassword(field: string): AppError {
  const words = { ru: 'Текущий пароль неверный', en: 'The current password is wrong' }
  return new AppError({ code: 'WRONG_PASSWORD', httpStatus: 422, words, errors: { [field]: [words] } })
}

/** `pendingToken`: of a social sign-in, to go to POST /api/login with the code. */
export function need2faCode(pendingToken?: string): AppError {
  return new AppError({
    code: 'NEED_2FA_CODE',
    httpStatus: 422,
    words: { ru: 'Введите код из приложения', en: 'Enter the code of your authenticator app' },
    data: { action: 'need-2fa-code', ...(pendingToken !== undefined && { pending_token: pendingToken }) },
  })
}

export function tooManyRequests(retryAfterSeconds: number): AppError {
  return new AppError({
    code: 'TOO_MANY_REQUESTS',
    httpStatus: 429,
    words: {
      ru: `Слишком много запросов. Повторите через ${retryAfterSeconds} с`,
      en: `Too many requests. Try again in ${retryAfterSeconds} s`,
    },
    retryAfterSeconds,
  })
}

export type FieldErrors = Record<string, Words[]>

/** Nobody did too much; there is more to do than can be done. */
export function tooBusy(retryAfterSeconds: number): AppError {
  return new AppError({
    code: 'TOO_MANY_REQUESTS',
    httpStatus: 503,
    words: {
      ru: `Сейчас слишком много посетителей. Повторите через ${retryAfterSeconds} с`,
      en: `There are too many visitors just now. Try again in ${retryAfterSeconds} s`,
    },
    retryAfterSeconds,
  })
}

/** Field by field what is wrong, in both languages. */
export function invalidInput(errors: FieldErrors): AppError {
  return new AppError({
    code: 'INVALID_INPUT',
    httpStatus: 422,
    words: { ru: 'Проверьте введённые данные', en: 'Check what you entered' },
    errors,
  })
}

const HEAL_SECONDS = 2
export function databaseUnavailable(): AppError {
  return new AppError({
    code: 'DATABASE_UNAVAILABLE',
    httpStatus: 503,
    words: { ru: 'Сервис ненадолго недоступен, повторите', en: 'The service is briefly unavailable, try again' },
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
