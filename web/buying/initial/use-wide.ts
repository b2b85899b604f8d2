import { useSyncExternalStore } from 'react'

/** From this width the panel's lists and the tickets fit side by side. The query equals `lg:` in classes. */
const WIDE = '(min-width: 64rem)'

/** Returns true in a wide window, and always on the server. CSS alone decides what is visible. */
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
