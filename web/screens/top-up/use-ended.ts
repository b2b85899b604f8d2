import { useState } from 'react'

/** The payment that was open on this page and is no more, whichever tab it was begun in. */
export function useEnded(open: readonly string[]): { ended: string | null; forget: () => void } {
  const [shown, setShown] = useState(open)
  const [gone, setGone] = useState<readonly string[]>([])
  // No effect: the line about it comes with the page that has it no more.
  if (shown.join() !== open.join()) {
    setShown(open)
    const left = shown.filter((id) => !open.includes(id))
    if (left.length > 0) setGone([...gone, ...left])
  }
  return { ended: gone.findLast((id) => !open.includes(id)) ?? null, forget: () => setGone([]) }
}
