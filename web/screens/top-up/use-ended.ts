import { useEffect, useRef, useState } from 'react'

/** The payment that was open on this page and is no more, whichever tab it was begun in. */
export function useEnded(open: readonly string[]): { ended: string | null; forget: () => void } {
  const shown = useRef<readonly string[]>([])
  const [gone, setGone] = useState<readonly string[]>([])
  const ids = open.join()
  useEffect(() => {
    const now = ids === '' ? [] : ids.split(',')
    const left = shown.current.filter((id) => !now.includes(id))
    shown.current = now
    if (left.length > 0) setGone((before) => [...before, ...left])
  }, [ids])
  // Money that came empties the list for a moment.
  return { ended: gone.findLast((id) => !open.includes(id)) ?? null, forget: () => setGone([]) }
}
