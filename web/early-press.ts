import { useEffect } from 'react'

declare global {
  interface Window {
    /** Ends the noting of presses and returns the last one. Set by entry-early.ts, and by whoever takes over first. */
    takeEarlyPress?: () => HTMLElement | null
  }
}

/** The button that was pressed before anything listened, or the field in which Enter was. From here on presses are React's: nothing notes them any more. */
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
