import { useEffect } from 'react'

/** Scrolls smoothly for links within a page only. A new page appears at its position at once. */
export function useMarkScroll(): void {
  useEffect(() => {
    const { style } = document.documentElement
    const onClick = ({ target }: Event) => {
      style.removeProperty('scroll-behavior')
      const link = target instanceof Element ? target.closest('a') : null
      if (link === null || link.hash === '' || link.pathname !== location.pathname) return
      style.scrollBehavior = 'smooth'
      document.addEventListener('scrollend', () => style.removeProperty('scroll-behavior'), { once: true })
    }
    // The listener runs in the capture phase, because the router may scroll in its own handler.
    document.addEventListener('click', onClick, { capture: true })
    return () => document.removeEventListener('click', onClick, { capture: true })
  }, [])
}
