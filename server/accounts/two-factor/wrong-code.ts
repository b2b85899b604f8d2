import { AppError, wrongCode } from '#server/errors.ts'

/** WRONG_CODE that names the field the code came in. */
export function wrongCodeIn(field: 'code' | 'one_time_password'): AppError {
  const { code, httpStatus, words } = wrongCode()
  return new AppError({ code, httpStatus, words, errors: { [field]: [words] } })
}
