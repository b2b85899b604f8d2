import { flushSync } from 'react-dom'
import { THEME_END_MS, THEME_SWITCH_MS } from '#contract/constants.ts'
import type { Theme } from '#contract/page-request.ts'
import { DAY, SECOND } from '#contract/time.ts'
import type { Store } from '../store.ts'
import { setCookie } from './cookie.ts'

const THEME_COOKIE_SECONDS = (365 * DAY) / SECOND

/** Whether the page is dark now, whatever made it so. */
export function isDark(): boolean {
  return getComputedStyle(document.documentElement).colorScheme === 'dark'
}

/**
 * Changes the theme with a full-screen transition: a sheet in the new paper's colour opens from `origin`, the theme
 * switches under it when it covers the page, and it fades. Whoever wants less motion gets the change alone.
 */
export async function switchTheme(store: Store<Theme>, next: Theme, origin: { x: number; y: number }): Promise<void> {
  setCookie('theme', next, THEME_COOKIE_SECONDS)
  const plain = matchMedia('(prefers-reduced-motion: reduce)').matches
  const sheet = plain ? null : layThemeSheet(next)
  if (sheet === null) {
    store.set(next)
    return
  }
  const { x, y } = origin
  const radius = Math.hypot(Math.max(x, innerWidth - x), Math.max(y, innerHeight - y))
  const from = `circle(0px at ${x}px ${y}px)`
  const to = `circle(${radius}px at ${x}px ${y}px)`
  try {
    await sheet.animate({ clipPath: [from, to] }, { duration: THEME_SWITCH_MS, easing: 'ease-in', fill: 'forwards' })
      .finished
    flushSync(() => store.set(next))
    await sheet.animate({ opacity: [1, 0] }, { duration: THEME_END_MS - THEME_SWITCH_MS, fill: 'forwards' }).finished
  } finally {
    store.set(next)
    sheet.remove()
  }
}

/** The sheet wears the classes of the new theme itself, and so takes its colour from the same tokens. */
function layThemeSheet(next: Theme): HTMLElement {
  const sheet = document.createElement('div')
  sheet.className = `${next} fixed inset-0 z-100 bg-paper pointer-events-none`
  document.body.append(sheet)
  return sheet
}
