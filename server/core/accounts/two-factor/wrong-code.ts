import { wordsOf } from '#server/house/errors/error-words.ts'
import { AppError } from '#server/house/errors/errors.ts'

export function wrongCodeIn(field: 'code' | 'one_time_password'): AppError {
  return new AppError('WRONG_CODE', { errors: { [field]: [wordsOf('WRONG_CODE')] } })
}
