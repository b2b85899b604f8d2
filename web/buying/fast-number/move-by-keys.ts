import type { KeyboardEvent } from 'react'

const ROWS = '[data-fast-row]'
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

export function rowsIn(dialog: Element | null): HTMLElement[] {
  return [...(dialog?.querySelectorAll<HTMLElement>(ROWS) ?? [])]
}

/** Moves the focus between rows by arrow keys, and wraps around at both ends. */
export function moveByKeys(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key]
  if (step === undefined) return
  event.preventDefault()
  const rows = rowsIn(event.currentTarget.closest('[role="dialog"]'))
  rows[(rows.indexOf(event.currentTarget) + step + rows.length) % rows.length]?.focus()
}
