import { useSyncExternalStore } from 'react'

/** From here on there is room for both lists of the panel, and for tickets beside it. The same as `lg:` in classes. */
const WIDE = '(min-width: 64rem)'

/** Whether the window is wide. The server does not know and says yes; what is drawn is decided by CSS alone. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, isWide, () => true)
}

/** The same, asked once in the browser. */
export function isWide(): boolean {
  return matchMedia(WIDE).matches
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(WIDE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
