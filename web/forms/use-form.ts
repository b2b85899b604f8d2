import { type ChangeEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { normalizeText } from '#web/ui/fields/initial/normalize-text.ts'
import { checkForm, type FormRules } from './rules.ts'
import { type FieldErrors, useSubmit } from './use-submit.ts'

export type FormOptions<Name extends string> = {
  initial: Readonly<Record<Name, string>>
  rules: FormRules<Name>
  labels: Readonly<Record<Name, string>>
  mayBeSent?: () => boolean
  blamed?: NoInfer<Name> | undefined
  send: (values: Readonly<Record<Name, string>>) => Promise<void>
}

export function useForm<Name extends string>({ initial, rules, labels, mayBeSent, blamed, send }: FormOptions<Name>) {
  const t = useTranslations('formErrors')
  const [values, setValues] = useState(initial)
  // The cast is safe, because the rules name all fields.
  const names = Object.keys(rules) as Name[]
  const { errors, sending, submit } = useSubmit({ names, check, mayBeSent, blamed, send: () => send(values) })

  function set(changes: Partial<Record<Name, string>>): void {
    setValues((before) => ({ ...before, ...changes }))
  }
  function check(): FieldErrors<Name> {
    const found: FieldErrors<Name> = {}
    const failures = checkForm(values, rules)
    for (const name of names) {
      const failure = failures[name]
      if (failure !== undefined) found[name] = t(failure.key, { length: 0, ...failure, field: labels[name] })
    }
    return found
  }
  const field = (name: Name, normalize: (text: string) => string) => ({
    name,
    label: labels[name],
    value: values[name],
    error: errors[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) =>
      set({ [name]: normalize(event.currentTarget.value) } as Record<Name, string>),
  })

  return {
    values,
    errors,
    sending,
    set,
    submit,
    text: (name: Name) => field(name, normalizeText),
    /** Returns the props of a PasswordField, whose value is not normalised. */
    secret: (name: Name) => field(name, (text) => text),
  }
}
