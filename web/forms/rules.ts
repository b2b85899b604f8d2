import { EMAIL_PATTERN } from '#contract/account-constants.ts'

/** `key` names a text in the namespace `formErrors`, and `length` is the text's parameter. */
export type FieldFailure =
  | { key: 'required' | 'invalid_email' | 'password_mismatch' }
  | { key: 'min_length' | 'max_length'; length: number }

/** A rule of specification 5. Every rule except `required` accepts an empty value. */
export type Rule = (value: string, values: Readonly<Record<string, string>>) => FieldFailure | null

/** Refuses blank text, although values are sent untrimmed. */
export const required: Rule = (value) => (value.trim() === '' ? { key: 'required' } : null)

export const isEmail: Rule = (value) =>
  value.trim() === '' || EMAIL_PATTERN.test(value.trim()) ? null : { key: 'invalid_email' }

export function minLength(length: number): Rule {
  return (value) => (value !== '' && value.length < length ? { key: 'min_length', length } : null)
}

export function maxLength(length: number): Rule {
  return (value) => (value.length > length ? { key: 'max_length', length } : null)
}

export function matchWith(other: string): Rule {
  return (value, values) => (value === values[other] ? null : { key: 'password_mismatch' })
}

export type FormRules<Name extends string> = Readonly<Record<Name, readonly Rule[]>>

/** Returns the first broken rule of each field, in the order of the fields; empty if the form may be sent. */
export function checkForm<Name extends string>(
  values: Readonly<Record<Name, string>>,
  rules: FormRules<Name>,
): Partial<Record<Name, FieldFailure>> {
  const failures: Partial<Record<Name, FieldFailure>> = {}
  // The cast is safe, because a record of rules has exactly the names of the fields.
  for (const name of Object.keys(rules) as Name[]) {
    for (const rule of rules[name]) {
      const failure = rule(values[name], values)
      if (failure === null) continue
      failures[name] = failure
      break
    }
  }
  return failures
}
