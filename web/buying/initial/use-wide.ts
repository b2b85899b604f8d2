import { useSyncExternalStore } from 'react'

/**
 * From this window width, both lists of the panel and the tickets fit side by side. The query equals `lg:` in classes.
 */
const WIDE = '(min-width: 64rem)'

/** The server assumes a wide window. CSS alone decides what is visible. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, isWide, () => true)
}

export function isWide(): boolean {
  return matchMedia(WIDE).matches
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(WIDE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
