import type { Theme } from '#contract/page-request.ts'
import { DAY, SECOND } from '#contract/time.ts'
import { setCookie } from '#web/session/cookie.ts'
import type { Store } from '#web/store.ts'

const THEME_COOKIE_SECONDS = (365 * DAY) / SECOND

/** Whether the page is dark now, whatever made it so. */
function isDark(): boolean {
  return getComputedStyle(document.documentElement).colorScheme === 'dark'
}

/** What each page is on its way to: a press during the show turns that around, not what is still seen. */
const headings = new WeakMap<Store<Theme>, Theme>()

/** From light to dark or back. */
export function toggleTheme(store: Store<Theme>, pressed: Element): Promise<void> {
  const heading = headings.get(store)
  const dark = heading === undefined ? isDark() : heading === 'dark'
  return switchTheme(store, dark ? 'light' : 'dark', pressed)
}

/** Changes the theme, with the transition where the browser can show it. `pressed` is where it opens from. */
export async function switchTheme(store: Store<Theme>, next: Theme, pressed: Element): Promise<void> {
  headings.set(store, next)
  setCookie('theme', next, THEME_COOKIE_SECONDS)
  const plain = matchMedia('(prefers-reduced-motion: reduce)').matches || !document.startViewTransition
  try {
    if (!plain) await (await import('./theme-transition.ts')).showTransition(store, next, pressed)
  } finally {
    // Whatever became of the show; unless another press has come since.
    if (headings.get(store) === next) {
      headings.delete(store)
      store.set(next)
    }
  }
}
