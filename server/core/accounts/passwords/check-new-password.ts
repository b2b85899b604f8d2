import type { Context } from '#server/house/context.ts'
import { wordsOf } from '#server/house/errors/error-words.ts'
import { type FieldErrors, invalidInput } from '#server/house/errors/errors.ts'
import { isBreached } from './breached.ts'
import { weaknessOf } from './weakness.ts'

type NewPassword = { password: string; password_confirmation: string; email: string | null }

/** Checks a new password. `others` are faults of other fields in the same form. Throws INVALID_INPUT. */
export async function checkNewPassword(ctx: Context, input: NewPassword, others: FieldErrors = {}): Promise<void> {
  const errors = { ...others, ...newPasswordErrors(input) }
  if (errors.password === undefined && (await isBreached(ctx, input.password)))
    errors.password = [wordsOf('field.passwordLeaked')]
  if (Object.keys(errors).length > 0) throw invalidInput(errors)
}

/** Checks a new password even if other fields of the form are wrong, so that one reply names all faults. */
export function newPasswordErrors(raw: {
  password?: unknown
  password_confirmation?: unknown
  email?: unknown
}): FieldErrors {
  const { password, password_confirmation: repeated, email } = raw
  if (typeof password !== 'string' || password === '') return {}
  const weakness = weaknessOf(password, typeof email === 'string' && email !== '' ? email : null)
  return {
    ...(weakness !== null && { password: [weakness] }),
    ...(typeof repeated === 'string' &&
      password !== repeated && {
        password_confirmation: [wordsOf('field.passwordsDiffer')],
      }),
  }
}
