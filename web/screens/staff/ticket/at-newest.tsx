import { type ReactNode, useEffect, useRef } from 'react'

/** A ticket opens at its end: the newest message, and below it what is answered with. An address with a mark goes there. */
export function AtNewest({ children }: { children: ReactNode }) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // After the router, which scrolls in its layout effect.
    if (location.hash === '') end.current?.scrollIntoView({ block: 'end' })
  }, [])
  return (
    <div ref={end} className="grid scroll-mb-[calc(var(--bottom-bar)+1rem)] gap-3 lg:scroll-mb-4">
      {children}
    </div>
  )
}
