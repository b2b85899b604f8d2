import type { Locale } from '#contract/constants.ts'
import { invalidInput } from '#server/errors.ts'
import { weaknessOf } from './weakness.ts'

type FieldErrors = Record<string, Record<Locale, string>[]>

/**
 * Refuses a weak new password and one that was not repeated letter for letter, each under its own field. `others` are
 * what the form has wrong besides. Throws INVALID_INPUT.
 */
export function checkNewPassword(
  input: { password: string; password_confirmation: string; email: string | null },
  others: FieldErrors = {},
): void {
  const errors = { ...others }
  const weakness = weaknessOf(input.password, input.email)
  if (weakness !== null) errors.password = [weakness]
  if (input.password !== input.password_confirmation) {
    errors.password_confirmation = [{ ru: 'Пароли не совпадают', en: 'The passwords do not match' }]
  }
  if (Object.keys(errors).length > 0) throw invalidInput(errors)
}
