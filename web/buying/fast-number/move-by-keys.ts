import type { KeyboardEvent } from 'react'

const ROWS = '[data-fast-row]'
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

export function rowsIn(dialog: Element | null): HTMLElement[] {
  return [...(dialog?.querySelectorAll<HTMLElement>(ROWS) ?? [])]
}

export function moveByKeys(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key]
  if (step === undefined) return
  event.preventDefault()
  const rows = rowsIn(event.currentTarget.closest('[role="dialog"]'))
  rows[(rows.indexOf(event.currentTarget) + step + rows.length) % rows.length]?.focus()
}
