import { useEffect } from 'react'

declare global {
  interface Window {
    /** Ends the noting of presses and returns the last one. Set by entry-early.ts, and by whoever takes over first. */
    takeEarlyPress?: () => HTMLElement | null
  }
}

/** The button that was pressed before anything listened. From here on presses are React's: nothing notes them any more. */
export function takeEarlyPress(): HTMLElement | null {
  const take = window.takeEarlyPress
  window.takeEarlyPress = () => null
  return take?.() ?? null
}

/** Presses the button again once the page listens. Renders nothing. */
export function EarlyPress({ pressed }: { pressed: HTMLElement | null }) {
  // After the effects of all others, which may be what the press needs.
  useEffect(() => queueMicrotask(() => pressed?.click()), [pressed])
  return null
}
