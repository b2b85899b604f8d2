import type { Theme } from '#contract/page-request.ts'
import { DAY, SECOND } from '#contract/time.ts'
import type { Store } from '../store.ts'
import { setCookie } from './cookie.ts'

const THEME_COOKIE_SECONDS = (365 * DAY) / SECOND

/** Whether the page is dark now, whatever made it so. */
export function isDark(): boolean {
  return getComputedStyle(document.documentElement).colorScheme === 'dark'
}

/** Changes the theme, with the transition where the browser can show it. `pressed` is where it opens from. */
export async function switchTheme(store: Store<Theme>, next: Theme, pressed: Element): Promise<void> {
  setCookie('theme', next, THEME_COOKIE_SECONDS)
  const plain = matchMedia('(prefers-reduced-motion: reduce)').matches || !document.startViewTransition
  try {
    if (!plain) await (await import('./theme-transition.ts')).showTransition(store, next, pressed)
  } finally {
    // Whatever became of the show.
    store.set(next)
  }
}
