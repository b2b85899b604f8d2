import { useEffect } from 'react'

/** A link to a place on the same page is followed at a pace the eye can follow. Pages themselves change at once. */
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
    // Before the router hears of it: the page may be scrolled by then.
    document.addEventListener('click', onClick, { capture: true })
    return () => document.removeEventListener('click', onClick, { capture: true })
  }, [])
}
