import { useEffect, useLayoutEffect } from 'react'
import { inBackground } from './house/in-background.ts'

declare global {
  interface Window {
    /**
     * Stops recording. Returns the chosen elements in order, and the last pressed one. entry-early.ts sets this
     * function, unless a page has already taken over.
     */
    takeEarlyPress?: () => { choices: HTMLElement[]; pressed: HTMLElement | null }
    /** Stops recording keys. Returns the button whose shortcut was pressed since takeEarlyPress. */
    takeEarlyKey?: () => HTMLElement | null
    /** True once the scripts of the page run. */
    pageBegan?: true
  }
}

/**
 * A press carries the state that the user chose, because hydration keeps that state on screen without telling React.
 */
type Press = { element: HTMLElement; checked?: boolean; value?: string }

/** Returns choices and presses from before hydration. Recording ends with this call, except for shortcuts. */
export function takeEarlyPress(): Press[] {
  const take = window.takeEarlyPress
  window.takeEarlyPress = () => ({ choices: [], pressed: null })
  const { choices, pressed } = take?.() ?? { choices: [], pressed: null }
  return [...choices, ...(pressed === null ? [] : [pressed])].map((element) => {
    if (element instanceof HTMLSelectElement) return { element, value: element.value }
    return isCheckable(element) ? { element, checked: element.checked } : { element }
  })
}

/** Tells React about text typed early, then repeats the early presses. */
export function EarlyPress({ pressed }: { pressed: readonly Press[] }) {
  // The early text is told first, because effects of the page may restore an older draft.
  useLayoutEffect(tellTexts, [])
  useEffect(() => {
    const element = window.takeEarlyKey?.() ?? null
    // The presses are queued behind all effects of this commit, which the presses may need.
    queueMicrotask(() => inBackground(pressAll(element === null ? pressed : [...pressed, { element }])))
  }, [pressed])
  return null
}

/**
 * Hydration keeps text that was typed before it, or restored by the browser, without telling React. The attribute
 * `value` holds the text that the server rendered.
 */
function tellTexts(): void {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input:not([type=file]), textarea')
  for (const field of fields) if (field.value !== field.defaultValue) tellText(field)
}

/**
 * React handles an input event only if the text differs from the text that React saw last. A write through the
 * prototype's setter, past React's own property, makes it differ.
 */
function tellText(field: HTMLInputElement | HTMLTextAreaElement): void {
  const { value, selectionStart, selectionEnd } = field
  field.value = field.defaultValue
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
  // E-mail and number fields have no selection.
  if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd)
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  if (field === document.activeElement) return
  // The field lost focus before its listener existed. The listener needs the text in the state.
  setTimeout(() => field.dispatchEvent(new FocusEvent('focusout', { bubbles: true })))
}

/** Each press sees the changes of the one before. A removed element or a changed label ends the sequence. */
async function pressAll(presses: readonly Press[]): Promise<void> {
  // The state holds early text by now, so a button may show another amount than the server rendered.
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
