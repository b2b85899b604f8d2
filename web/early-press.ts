import { useEffect } from 'react'

declare global {
  interface Window {
    /** Ends the noting of presses and returns the last one. Set by entry-early.ts, and by whoever takes over first. */
    takeEarlyPress?: () => HTMLElement | null
  }
}

/** The button, or the field for Enter, that was pressed before React listened. Presses are not noted after this call. */
export function takeEarlyPress(): HTMLElement | null {
  const take = window.takeEarlyPress
  window.takeEarlyPress = () => null
  return take?.() ?? null
}

/** Presses the button, or Enter in the field, again once the page listens. Renders nothing. */
export function EarlyPress({ pressed }: { pressed: HTMLElement | null }) {
  // After the effects of all others, which may be what the press needs.
  useEffect(() => queueMicrotask(() => pressAgain(pressed)), [pressed])
  return null
}

function pressAgain(pressed: HTMLElement | null): void {
  if (pressed instanceof HTMLInputElement) {
    pressed.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  } else pressed?.click()
}
