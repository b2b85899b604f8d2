import { useState } from 'react'

/** Returns the payment that was open on this page and has ended, in whichever tab it was begun. */
export function useEnded(open: readonly string[]): { ended: string | null; forget: () => void } {
  const [shown, setShown] = useState(open)
  const [gone, setGone] = useState<readonly string[]>([])
  // The state changes without an effect, so that the outcome appears in the same step in which the payment disappears.
  if (shown.join() !== open.join()) {
    setShown(open)
    const left = shown.filter((id) => !open.includes(id))
    if (left.length > 0) setGone([...gone, ...left])
  }
  return { ended: gone.findLast((id) => !open.includes(id)) ?? null, forget: () => setGone([]) }
}
