import type { z } from 'zod'
import type { Locale } from '#contract/constants.ts'
import { type AppError, type FieldErrors, invalidInput } from '#server/errors.ts'

type Words = Record<Locale, string>
const MAX_FIELDS = 20
const MAX_NAME_LENGTH = 60

const EMPTY: Words = { ru: 'Заполните это поле', en: 'This field is required' }

/** `others`: errors of fields that the schema accepts. */
export function invalidFrom(error: z.ZodError, others: FieldErrors = {}): AppError {
  // A map, because a field may be called `constructor`.
  const errors = new Map<string, Words[]>()
  for (const issue of error.issues.flatMap(oneByField).slice(0, MAX_FIELDS)) {
    const field = issue.path.map(String).join('.') || 'body'
    const before = errors.get(field) ?? []
    // An empty field breaks every rule, so the rest is noise.
    if (!before.includes(EMPTY)) errors.set(field, [...before, wordsFor(issue)])
  }
  return invalidInput({ ...others, ...Object.fromEntries(errors) })
}

function oneByField(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'unrecognized_keys') return [issue]
  return issue.keys.map((key) => ({ ...issue, path: [...issue.path, key.slice(0, MAX_NAME_LENGTH)] }))
}

function wordsFor(issue: z.core.$ZodIssue): Words {
  if (issue.code === 'unrecognized_keys') return { ru: 'Такого поля нет', en: 'There is no such field' }
  if ((issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined) {
    return EMPTY
  }
  if (issue.code === 'too_small' && issue.origin === 'string') {
    return issue.input === '' ? EMPTY : atLeast(Number(issue.minimum))
  }
  if (issue.code === 'too_big' && issue.origin === 'string') {
    return atMost(Number(issue.maximum))
  }
  if (issue.code === 'invalid_format' && issue.path.at(-1) === 'email') {
    return { ru: 'Это не похоже на адрес почты', en: 'This is not an e-mail address' }
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

function atLeast(length: number): Words {
  return {
    ru: `Не короче ${length} ${length === 1 ? 'символа' : 'символов'}`,
    en: `At least ${length} ${length === 1 ? 'character' : 'characters'}`,
  }
}

function atMost(length: number): Words {
  return {
    ru: `Не длиннее ${length} ${length === 1 ? 'символа' : 'символов'}`,
    en: `At most ${length} ${length === 1 ? 'character' : 'characters'}`,
  }
}
