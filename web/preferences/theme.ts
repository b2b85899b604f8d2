import type { Theme } from '#contract/page-request.ts'
import { DAY, SECOND } from '#contract/time.ts'
import { setCookie } from '#web/session/cookie.ts'
import type { Store } from '#web/store.ts'

const THEME_COOKIE_SECONDS = (365 * DAY) / SECOND

/** The theme each page is switching to, from the press on. The store follows in the middle of the transition. */
const chosen = new WeakMap<Store<Theme>, Theme>()

/** From light to dark or back. A press during a transition turns around what was chosen, not what is still seen. */
export function toggleTheme(store: Store<Theme>, pressed: Element): Promise<void> {
  return switchTheme(store, isDark(chosen.get(store) ?? store.get()) ? 'light' : 'dark', pressed)
}

function isDark(theme: Theme): boolean {
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
}

/** Changes the theme, with the transition where the browser can show it. `pressed` is where it opens from. */
export async function switchTheme(store: Store<Theme>, next: Theme, pressed: Element): Promise<void> {
  chosen.set(store, next)
  setCookie('theme', next, THEME_COOKIE_SECONDS)
  // Transitions may overlap and end in any order: each applies what was chosen last.
  const apply = () => store.set(chosen.get(store) ?? next)
  const plain = matchMedia('(prefers-reduced-motion: reduce)').matches || !document.startViewTransition
  try {
    if (!plain) await (await import('./theme-transition.ts')).showTransition(next, pressed, apply)
  } finally {
    apply()
  }
}
