import type { z } from 'zod'
import { UNWRITABLE } from '#contract/account.ts'
import { type Words, wordsOf } from '#server/house/errors/error-words.ts'
import { type AppError, type FieldErrors, invalidInput } from '#server/house/errors/errors.ts'

const MAX_FIELDS = 20
const MAX_NAME_LENGTH = 60

const EMPTY = wordsOf('field.required')

export function invalidFrom(error: z.ZodError, others: FieldErrors = {}): AppError {
  // A Map and not an object collects the errors, because a field may be called `constructor`.
  const errors = new Map<string, Words[]>()
  for (const issue of error.issues.flatMap(oneByField).slice(0, MAX_FIELDS)) {
    const field = issue.path.map(String).join('.') || 'body'
    const before = errors.get(field) ?? []
    if (!before.includes(EMPTY)) errors.set(field, [...before, wordsFor(issue)])
  }
  return invalidInput({ ...others, ...Object.fromEntries(errors) })
}

function oneByField(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'unrecognized_keys') return [issue]
  return issue.keys.map((key) => ({ ...issue, path: [...issue.path, key.slice(0, MAX_NAME_LENGTH)] }))
}

function wordsFor(issue: z.core.$ZodIssue): Words {
  if (issue.code === 'unrecognized_keys') return wordsOf('field.unknown')
  if ((issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined) {
    return EMPTY
  }
  if (issue.code === 'too_small' && issue.origin === 'string') {
    return issue.input === '' ? EMPTY : length('field.shortest', Number(issue.minimum))
  }
  if (issue.code === 'too_big' && issue.origin === 'string') {
    return length('field.longest', Number(issue.maximum))
  }
  if (issue.code === 'invalid_format' && issue.path.at(-1) === 'email') {
    return wordsOf(issue.message === UNWRITABLE ? 'field.unwritableEmail' : 'field.email')
  }
  if (issue.code === 'invalid_format' && issue.path.at(-1) === 'url') {
    return wordsOf('field.webhookUrl')
  }
  if (issue.code === 'too_small') {
    return wordsOf('field.atLeast', { minimum: String(issue.minimum) })
  }
  if (issue.code === 'too_big') {
    return wordsOf('field.atMost', { maximum: String(issue.maximum) })
  }
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String).join(', ')
    return wordsOf('field.oneOf', { values })
  }
  return wordsOf('field.invalid')
}

function length(key: 'field.shortest' | 'field.longest', characters: number): Words {
  return characters === 1 ? wordsOf(`${key}One`) : wordsOf(key, { length: characters })
}
