import { FILE_MAX_BYTES } from '#contract/support/support-constants.ts'
import { MEBIBYTE } from '#contract/time.ts'
import type { SentenceKey } from '#server/house/errors/error-words.ts'
import { AppError } from '#server/house/errors/errors.ts'

export function tooManyTickets(limit: number): AppError {
  return new AppError('TOO_MANY_TICKETS', { values: { limit }, data: { limit } })
}

export function searchTooLong(retryAfterSeconds: number): AppError {
  return new AppError('TOO_MANY_REQUESTS.search', { values: { seconds: retryAfterSeconds }, retryAfterSeconds })
}

/** Makes an error whose message names the file, because several files are uploaded at once. */
function badFile(key: SentenceKey): (name: string) => AppError {
  return (name) => new AppError(key, { values: { name, megabytes: FILE_MAX_BYTES / MEBIBYTE }, data: { name } })
}

export const unknownFileType = badFile('BAD_FILE')
export const otherFileType = badFile('BAD_FILE.other')
export const brokenPicture = badFile('BAD_FILE.broken')
export const hugePicture = badFile('BAD_FILE.pixels')
export const longPicture = badFile('BAD_FILE.side')
export const tediousPicture = badFile('BAD_FILE.tedious')
export const fileTooLarge = badFile('BAD_FILE.size')
export const fileTooSlow = badFile('BAD_FILE.slow')
export const emptyFile = badFile('BAD_FILE.empty')

export function tooManyFiles(key: 'TOO_MANY_FILES' | 'TOO_MANY_FILES.day', values: Record<string, number>): AppError {
  return new AppError(key, { values, data: values })
}
