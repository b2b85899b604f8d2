/** A page survives a lost network before its scripts run. entry-early.ts is the only user of this file. */

const KEPT = 'early-presses'

type KeptPress = { path: string; words: string }

/** Shows the page's line about the lost network. Returns a function that leaves the line to React. */
export function showOfflineLine(): () => void {
  const show = (): void => {
    const line = document.querySelector<HTMLElement>('[data-offline-line]')
    if (line !== null) line.hidden = navigator.onLine
  }
  addEventListener('online', show)
  addEventListener('offline', show)
  show()
  return () => {
    removeEventListener('online', show)
    removeEventListener('offline', show)
  }
}

/** Returns the link of a click that would lead to the browser's own page, because there is no network. */
export function lostLink(event: MouseEvent): HTMLAnchorElement | null {
  const { target, button, altKey, ctrlKey, metaKey, shiftKey } = event
  if (navigator.onLine || button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return null
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (link === null || link.origin !== location.origin || link.target !== '') return null
  // A mark within the page needs no network.
  const isWithin = link.hash !== '' && link.pathname === location.pathname && link.search === location.search
  return isWithin ? null : link
}

/** These only choose or open something. Another press may act, and by then upon another number or account. */
const CHOICES = '[aria-pressed]:not(.picker-star), [aria-expanded], [aria-haspopup]'
const KEPT_MS = 60_000

/** Stores choices over a reload of the page. */
export function keepPresses(elements: readonly HTMLElement[]): void {
  const kept = elements
    .filter((element) => element.matches(CHOICES))
    .map((element): KeptPress => ({ path: pathOf(element), words: wordsOf(element) }))
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ page: location.href, kept, at: Date.now() }))
  } catch {
    // A browser without storage loses the presses.
  }
}

/** Returns the elements that were chosen before the page's reload, if they say what they said then. */
export function takeKeptPresses(): HTMLElement[] {
  try {
    const text = sessionStorage.getItem(KEPT)
    if (text === null) return []
    sessionStorage.removeItem(KEPT)
    const { page, kept, at }: { page: string; kept: KeptPress[]; at: number } = JSON.parse(text)
    return page === location.href && Date.now() - at < KEPT_MS ? kept.flatMap(findAgain) : []
  } catch {
    return []
  }
}

function findAgain({ path, words }: KeptPress): HTMLElement[] {
  const element = document.querySelector<HTMLElement>(path)
  return element !== null && wordsOf(element) === words ? [element] : []
}

const wordsOf = (element: Element): string => `${element.ariaLabel} ${element.textContent}`

/** Returns a selector of the element by its places among its parents' children. */
function pathOf(element: Element): string {
  const parent = element.parentElement
  if (parent === null) return ':root'
  return `${pathOf(parent)} > :nth-child(${[...parent.children].indexOf(element) + 1})`
}
