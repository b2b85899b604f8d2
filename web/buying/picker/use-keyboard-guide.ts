import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { Choice } from '#web/buying/first/choice.ts'

/** A choice by keyboard moves the focus to the next search, finally to the button: the next Enter buys. */
export function useKeyboardGuide(
  form: RefObject<HTMLFormElement | null>,
  choice: Choice,
): (byKeyboard: boolean) => void {
  const guided = useRef(false)
  const { serviceId, countryId } = choice
  const guide = useEffectEvent((service: string | null, country: number | null) => {
    if (!guided.current) return
    guided.current = false
    if (service !== null && country !== null) {
      form.current?.querySelector<HTMLElement>('[data-panel-buy]')?.focus({ preventScroll: true })
    } else {
      focusSearch(form.current, service === null ? 'service' : 'country')
    }
  })
  useEffect(() => guide(serviceId, countryId), [serviceId, countryId])
  return (byKeyboard) => {
    guided.current = byKeyboard
  }
}

/** Without `kind`, the first visible search. */
export function focusSearch(form: HTMLFormElement | null, kind?: 'service' | 'country'): void {
  const fields = [...(form?.querySelectorAll<HTMLInputElement>('[data-panel-search]') ?? [])]
  const wanted = fields.filter((field) => kind === undefined || field.dataset.panelSearch === kind)
  wanted.find((field) => field.checkVisibility())?.focus()
}
