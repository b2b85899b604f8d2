import type { z } from 'zod'
import type { Locale } from '#contract/constants.ts'
import { type AppError, invalidInput } from '#server/errors.ts'

type Words = Record<Locale, string>
/** Fields named in one reply; a body wrong in more places is told about these. */
const MAX_FIELDS = 20

/** What a schema found wrong, field by field, in words people understand. */
export function invalidFrom(error: z.ZodError): AppError {
  const errors: Record<string, Words[]> = {}
  for (const issue of error.issues.slice(0, MAX_FIELDS)) {
    const field = issue.path.map(String).join('.') || 'body'
    errors[field] = [...(errors[field] ?? []), wordsFor(issue)]
  }
  return invalidInput(errors)
}

function wordsFor(issue: z.core.$ZodIssue): Words {
  if (issue.code === 'invalid_type' && issue.input === undefined) {
    return { ru: 'Заполните это поле', en: 'This field is required' }
  }
  if (issue.code === 'too_small') {
    return { ru: `Не меньше ${issue.minimum}`, en: `At least ${issue.minimum}` }
  }
  if (issue.code === 'too_big') {
    return { ru: `Не больше ${issue.maximum}`, en: `At most ${issue.maximum}` }
  }
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String).join(', ')
    return { ru: `Одно из: ${values}`, en: `One of: ${values}` }
  }
  return { ru: 'Неверное значение', en: 'This value is not valid' }
}
