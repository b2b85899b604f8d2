import { useEffect } from 'react'

declare global {
  interface Window {
    /** Stops recording and returns the last press. entry-early.ts sets it, unless a page has already taken over. */
    takeEarlyPress?: () => HTMLElement | null
  }
}

/** The button, or the field for Enter, that was pressed before hydration. Recording ends with this call. */
export function takeEarlyPress(): HTMLElement | null {
  const take = window.takeEarlyPress
  window.takeEarlyPress = () => null
  return take?.() ?? null
}

/** Repeats the press after hydration. */
export function EarlyPress({ pressed }: { pressed: HTMLElement | null }) {
  // Queued behind all effects of this commit: the press may need them.
  useEffect(() => queueMicrotask(() => pressAgain(pressed)), [pressed])
  return null
}

function pressAgain(pressed: HTMLElement | null): void {
  if (pressed instanceof HTMLInputElement) {
    pressed.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  } else pressed?.click()
}
