import { useEffect, useLayoutEffect } from 'react'
import { inBackground } from './house/in-background.ts'

declare global {
  interface Window {
    /**
     * Stops the recording of presses before hydration. Returns changed fields in order, and the last pressed element.
     * entry-early.ts sets this function, unless the page's scripts run already.
     */
    takeEarlyPress?: () => { choices: HTMLElement[]; pressed: HTMLElement | null }
    /** Stops the recording of keys. Returns the button whose shortcut was pressed since the call of takeEarlyPress. */
    takeEarlyKey?: () => HTMLElement | null
    pageBegan?: true
    /** Loads the page again once its network is back, and keeps what was pressed before hydration. */
    loadPageAgain?: () => void
  }
}

/** A pressed element and its chosen state, because hydration keeps that state without telling React. */
type Press = { element: HTMLElement; checked?: boolean; value?: string }

/** Returns the user's choices and presses before hydration, and ends their recording, except of shortcut keys. */
export function takeEarlyPress(): Press[] {
  const take = window.takeEarlyPress
  window.takeEarlyPress = () => ({ choices: [], pressed: null })
  const { choices, pressed } = take?.() ?? { choices: [], pressed: null }
  return [...choices, ...(pressed === null ? [] : [pressed])].map((element) => {
    if (element instanceof HTMLSelectElement) return { element, value: element.value }
    return isCheckable(element) ? { element, checked: element.checked } : { element }
  })
}

/** Tells React about text that the user typed before hydration, then repeats the presses from before hydration. */
export function EarlyPress({ pressed }: { pressed: readonly Press[] }) {
  // React learns the typed text in a layout effect, because later effects of the page may restore an older draft.
  useLayoutEffect(tellTexts, [])
  useEffect(() => {
    const element = window.takeEarlyKey?.() ?? null
    // The presses run in a microtask after all effects of this commit, because the pressed elements may need effects.
    queueMicrotask(() => inBackground(pressAll(element === null ? pressed : [...pressed, { element }])))
  }, [pressed])
  return null
}

/** Tells React about typed or restored text, which hydration keeps silently. `value` is the server's text. */
function tellTexts(): void {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input:not([type=file]), textarea')
  for (const field of fields) if (field.value !== field.defaultValue) tellText(field)
}

/** Tells React a field's text. React ignores an input event unless the prototype's setter has written the text. */
function tellText(field: HTMLInputElement | HTMLTextAreaElement): void {
  const { value, selectionStart, selectionEnd } = field
  field.value = field.defaultValue
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
  // Email and number inputs have no selection.
  if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd)
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  if (field === document.activeElement) return
  // The field lost the focus before its listener existed, so focusout is repeated once React has the text.
  setTimeout(() => field.dispatchEvent(new FocusEvent('focusout', { bubbles: true })))
}

/** Repeats presses one after another. A removed element or a changed label ends the sequence. */
async function pressAll(presses: readonly Press[]): Promise<void> {
  // The state holds the typed text by now, so a button may show another amount than the server rendered.
  const words = presses.map(wordsOf)
  for (const [place, press] of presses.entries()) {
    if (!press.element.isConnected || wordsOf(press) !== words[place]) return
    pressAgain(press)
    // The query cache tells React about changes in a separate task.
    await new Promise((resolve) => setTimeout(resolve))
  }
}

function wordsOf({ element }: Press): string {
  return element instanceof HTMLButtonElement ? `${element.ariaLabel} ${element.textContent}` : ''
}

function pressAgain({ element, checked, value }: Press): void {
  if (element instanceof HTMLSelectElement && value !== undefined) {
    element.value = value
    element.dispatchEvent(new Event('change', { bubbles: true }))
  } else if (isCheckable(element)) {
    element.checked = checked !== true
    element.click()
  } else if (element instanceof HTMLInputElement && element.type === 'file') {
    element.dispatchEvent(new Event('change', { bubbles: true }))
  } else if (element instanceof HTMLInputElement) {
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  } else element.click()
}

function isCheckable(element: HTMLElement): element is HTMLInputElement {
  return element instanceof HTMLInputElement && (element.type === 'checkbox' || element.type === 'radio')
}
