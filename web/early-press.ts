import { useEffect, useLayoutEffect } from 'react'
import { inBackground } from './house/in-background.ts'

declare global {
  interface Window {
    /** Stops recording and returns what was chosen, in order, and the last press. entry-early.ts sets it, unless a page has already taken over. */
    takeEarlyPress?: () => { choices: HTMLElement[]; pressed: HTMLElement | null }
    /** The button whose shortcut was pressed since. The same holds for keys. */
    takeEarlyKey?: () => HTMLElement | null
    /** The scripts of the page have come. */
    pageBegan?: true
  }
}

/** With what was chosen there: hydration leaves it shown, and tells nobody. */
type Press = { element: HTMLElement; checked?: boolean; value?: string }

/** What was chosen and pressed before hydration. Recording ends with this call, but for shortcuts. */
export function takeEarlyPress(): Press[] {
  const take = window.takeEarlyPress
  window.takeEarlyPress = () => ({ choices: [], pressed: null })
  const { choices, pressed } = take?.() ?? { choices: [], pressed: null }
  return [...choices, ...(pressed === null ? [] : [pressed])].map((element) => {
    if (element instanceof HTMLSelectElement) return { element, value: element.value }
    return isCheckable(element) ? { element, checked: element.checked } : { element }
  })
}

/** Tells React of early text, and repeats the presses after it. */
export function EarlyPress({ pressed }: { pressed: readonly Press[] }) {
  // Before the effects of the page, which may bring back an older draft.
  useLayoutEffect(tellTexts, [])
  useEffect(() => {
    const element = window.takeEarlyKey?.() ?? null
    // Queued behind all effects of this commit: the press may need them.
    queueMicrotask(() => inBackground(pressAll(element === null ? pressed : [...pressed, { element }])))
  }, [pressed])
  return null
}

/** Hydration leaves text that was typed before it, or restored by the browser, and tells nobody. The attribute holds the text that the server drew. */
function tellTexts(): void {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input:not([type=file]), textarea')
  for (const field of fields) if (field.value !== field.defaultValue) tellText(field)
}

/** React takes an event for a change only where the text differs from the one React saw last. A write past React's own property does. */
function tellText(field: HTMLInputElement | HTMLTextAreaElement): void {
  const { value, selectionStart, selectionEnd } = field
  field.value = field.defaultValue
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
  // E-mail and number fields have none.
  if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd)
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  if (field === document.activeElement) return
  // The field was left before anybody listened. Its listener needs the text in the state.
  setTimeout(() => field.dispatchEvent(new FocusEvent('focusout', { bubbles: true })))
}

/** Each press sees what the one before it changed. An element that is gone, or a button with other words, such as another price, ends the row. */
async function pressAll(presses: readonly Press[]): Promise<void> {
  // The state holds early text by now, so a button may show another amount than the server drew.
  const words = presses.map(wordsOf)
  for (const [place, press] of presses.entries()) {
    if (!press.element.isConnected || wordsOf(press) !== words[place]) return
    pressAgain(press)
    // The query cache tells React in a task of its own.
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
