import { AppError, wrongCode } from '#server/errors.ts'

export function wrongCodeIn(field: 'code' | 'one_time_password'): AppError {
  const { code, httpStatus, words } = wrongCode()
  return new AppError({ code, httpStatus, words, errors: { [field]: [words] } })
}
