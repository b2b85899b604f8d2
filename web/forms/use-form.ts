import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { CallError } from '#contract/calls/calls.ts'
import { useAlerts } from '#web/app-context.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { normalizeText } from '#web/ui/fields/first/normalize-text.ts'
import { checkForm, type FormRules } from './rules.ts'

type FieldErrors<Name extends string> = Partial<Record<Name, string>>

export type FormOptions<Name extends string> = {
  initial: Readonly<Record<Name, string>>
  rules: FormRules<Name>
  /** Field names for error messages. */
  labels: Readonly<Record<Name, string>>
  /** Checks inputs that are no text fields, such as a checkbox, and shows their errors. */
  mayBeSent?: () => boolean
  /** Its failure is shown beside the named fields and as an alert. */
  send: (values: Readonly<Record<Name, string>>) => Promise<void>
}

/** Validates by the rules and sends once at a time. */
export function useForm<Name extends string>({ initial, rules, labels, mayBeSent, send }: FormOptions<Name>) {
  const alerts = useAlerts()
  const fail = useFailure()
  const t = useTranslations('formErrors')
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<FieldErrors<Name>>({})
  const [sending, setSending] = useState(false)
  const busy = useRef(false)
  // The rules name all fields.
  const names = Object.keys(rules) as Name[]

  function set(changes: Partial<Record<Name, string>>): void {
    setValues((before) => ({ ...before, ...changes }))
  }
  function show(found: FieldErrors<Name>, form: HTMLFormElement): void {
    setErrors(found)
    const first = names.find((name) => found[name] !== undefined)
    const field = first === undefined ? null : form.elements.namedItem(first)
    if (field instanceof HTMLElement) field.focus()
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
  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (busy.current) return
    const form = event.currentTarget
    // A new try removes the alerts of the previous one.
    alerts.clearErrors()
    const found = check()
    show(found, form)
    const texts = names.map((name) => found[name]).filter((text) => text !== undefined)
    // A phone keeps the last alert: that of the field with the focus.
    alerts.add(texts.toReversed().map((text) => ({ type: 'error', text })))
    const ready = mayBeSent?.() ?? true
    if (texts.length > 0 || !ready) return
    busy.current = true
    setSending(true)
    try {
      await send(values)
    } catch (error) {
      show(errorsOf(error, names), form)
      fail(error)
    } finally {
      busy.current = false
      setSending(false)
    }
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
    /** Props of TextField. */
    text: (name: Name) => field(name, normalizeText),
    /** Props of PasswordField. The value is not normalised. */
    secret: (name: Name) => field(name, (text) => text),
  }
}

function errorsOf<Name extends string>(error: unknown, names: readonly Name[]): FieldErrors<Name> {
  const found: FieldErrors<Name> = {}
  if (!(error instanceof CallError)) return found
  for (const name of names) {
    const words = error.errors[name]?.[0]
    if (words !== undefined) found[name] = words
  }
  return found
}
