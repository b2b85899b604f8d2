import { wordsOf } from '#server/error-words.ts'
import { AppError } from '#server/errors.ts'

export function wrongCodeIn(field: 'code' | 'one_time_password'): AppError {
  return new AppError('WRONG_CODE', { errors: { [field]: [wordsOf('WRONG_CODE')] } })
}
