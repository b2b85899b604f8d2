import { useLayoutEffect } from 'react'
import { logFailure } from '#web/house/log-failure.ts'
import type { PageHistory } from './history.ts'
import type { Page, PagesOptions } from './pages.ts'

const STORED_AS = 'scroll-positions'
/** The maximum number of stored scroll positions. Positions of the most recently left history entries are kept. */
const MAX_POSITIONS = 100

type Positions = PagesOptions['scroll']['positions']

export function rememberScroll(entries: PageHistory): PagesOptions['scroll'] {
  const positions = readPositions()
  const position = () => window.scrollY
  const takeOver = () => {
    window.history.scrollRestoration = 'manual'
  }
  // Until the load event, the browser itself restores the scroll position of a reloaded document.
  if (document.readyState === 'complete') takeOver()
  window.addEventListener('pageshow', takeOver)
  window.addEventListener('pagehide', () => {
    window.history.scrollRestoration = 'auto'
    positions[entries.location.key] = position()
    storePositions(positions)
  })
  return { positions, position }
}

function readPositions(): Positions {
  try {
    return JSON.parse(sessionStorage.getItem(STORED_AS) ?? '{}') as Positions
  } catch (error) {
    logFailure('scroll positions could not be read', error)
    return {}
  }
}

function storePositions(positions: Positions): void {
  try {
    const latest = Object.fromEntries(Object.entries(positions).slice(-MAX_POSITIONS))
    sessionStorage.setItem(STORED_AS, JSON.stringify(latest))
  } catch (error) {
    logFailure('scroll positions could not be stored', error)
  }
}

export function useScroll({ scrollTo, location }: Page): void {
  useLayoutEffect(() => {
    if (scrollTo === null) return
    const mark = scrollTo === 'mark' ? document.getElementById(idOf(location.hash)) : null
    if (mark === null) window.scrollTo(0, scrollTo === 'mark' ? 0 : scrollTo)
    else mark.scrollIntoView()
  }, [scrollTo, location])
}

function idOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash.slice(1)
  }
}
