import { useEffect } from 'react'

declare global {
  interface Window {
    /** Stops recording and returns the last press. entry-early.ts sets it, unless a page has already taken over. */
    takeEarlyPress?: () => HTMLElement | null
    /** The button whose shortcut was pressed since. The same holds for keys. */
    takeEarlyKey?: () => HTMLElement | null
  }
}

/** A button, or a field for Enter; or a check box or a select with what was chosen. Hydration leaves it shown, and tells nobody. */
type Press = { element: HTMLElement; checked?: boolean; value?: string }

/** What was pressed or changed before hydration. Recording ends with this call, but for shortcuts. */
export function takeEarlyPress(): Press | null {
  const take = window.takeEarlyPress
  window.takeEarlyPress = () => null
  const element = take?.() ?? null
  if (element === null) return null
  if (element instanceof HTMLSelectElement) return { element, value: element.value }
  return isCheckBox(element) ? { element, checked: element.checked } : { element }
}

/** Repeats the press after hydration. */
export function EarlyPress({ pressed }: { pressed: Press | null }) {
  useEffect(() => {
    const element = window.takeEarlyKey?.() ?? null
    // Queued behind all effects of this commit: the press may need them.
    queueMicrotask(() => pressAgain(element === null ? pressed : { element }))
  }, [pressed])
  return null
}

function pressAgain(pressed: Press | null): void {
  if (pressed === null) return
  const { element, checked, value } = pressed
  if (element instanceof HTMLSelectElement && value !== undefined) {
    element.value = value
    element.dispatchEvent(new Event('change', { bubbles: true }))
  } else if (isCheckBox(element)) {
    element.checked = checked !== true
    element.click()
  } else if (element instanceof HTMLInputElement) {
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  } else element.click()
}

function isCheckBox(element: HTMLElement): element is HTMLInputElement {
  return element instanceof HTMLInputElement && element.type === 'checkbox'
}
