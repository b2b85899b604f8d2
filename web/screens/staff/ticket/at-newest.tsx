import { type ReactNode, useEffect, useRef } from 'react'

/** Each of these events shows that the reader scrolls, so the page stops scrolling by itself. */
const OWN_WAY = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/** Keeps a ticket at its newest message while pictures load, until the reader scrolls; not if the URL has a hash. */
export function AtNewest({ children }: { children: ReactNode }) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (location.hash !== '') return
    // The observer starts after the router has scrolled in its layout effect.
    const observer = new ResizeObserver(() => end.current?.scrollIntoView({ block: 'end' }))
    const stop = () => {
      observer.disconnect()
      for (const name of OWN_WAY) removeEventListener(name, stop)
    }
    observer.observe(document.body)
    for (const name of OWN_WAY) addEventListener(name, stop, { passive: true })
    return stop
  }, [])
  return (
    <div ref={end} className="grid scroll-mb-[calc(var(--bottom-bar)+1rem)] gap-3 lg:scroll-mb-4">
      {children}
    </div>
  )
}
