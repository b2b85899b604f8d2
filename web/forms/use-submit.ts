import { type FormEvent, useRef, useState } from 'react'
import { CallError } from '#contract/calls/calls.ts'
import { useAlerts } from '#web/house/app-context.ts'
import { useFailure } from '#web/session/use-failure.ts'

export type FieldErrors<Name extends string> = Partial<Record<Name, string>>

type Submission<Name extends string> = {
  /** The input names in their order on the page. The first wrong field gets the focus. */
  names: readonly Name[]
  check: () => FieldErrors<Name>
  mayBeSent?: (() => boolean) | undefined
  /** The field beside which a refusal stands that names no field. */
  blamed?: Name | undefined
  /** Sends the form. If the promise rejects, the error is shown beside the named fields and as an alert. */
  send: () => Promise<void>
}

/** Submits a form once at a time, shows failures by field and as alerts (specification 5), and moves the focus. */
export function useSubmit<Name extends string>({ names, check, mayBeSent, blamed, send }: Submission<Name>) {
  const alerts = useAlerts()
  const fail = useFailure()
  const [errors, setErrors] = useState<FieldErrors<Name>>({})
  const [sending, setSending] = useState(false)
  const busy = useRef(false)

  function show(found: FieldErrors<Name>, form: HTMLFormElement): void {
    setErrors(found)
    const first = names.find((name) => found[name] !== undefined)
    const field = first === undefined ? null : form.elements.namedItem(first)
    if (field instanceof HTMLElement) field.focus()
  }
  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (busy.current) return
    const form = event.currentTarget
    alerts.clearErrors()
    const found = check()
    show(found, form)
    const texts = names.map((name) => found[name]).filter((text) => text !== undefined)
    // A phone shows only the last alert, so the alert of the focused field comes last.
    alerts.add(texts.toReversed().map((text) => ({ type: 'error', text })))
    const ready = mayBeSent?.() ?? true
    if (texts.length > 0 || !ready) return
    busy.current = true
    setSending(true)
    try {
      await send()
    } catch (error) {
      show(errorsOf(error, names, blamed), form)
      fail(error)
    } finally {
      busy.current = false
      setSending(false)
    }
  }
  return { errors, sending, submit }
}

function errorsOf<Name extends string>(
  error: unknown,
  names: readonly Name[],
  blamed: Name | undefined,
): FieldErrors<Name> {
  const found: FieldErrors<Name> = {}
  if (!(error instanceof CallError)) return found
  for (const name of names) {
    const words = error.errors[name]?.[0]
    if (words !== undefined) found[name] = words
  }
  // Other refusals, as of a rate limit, are no fault of a field.
  const isRefusal = error.httpStatus === 422 && error.message !== ''
  if (blamed !== undefined && isRefusal && Object.keys(found).length === 0) found[blamed] = error.message
  return found
}
