import { CHOICE_COOKIE_SECONDS } from '#contract/constants.ts'
import type { Theme } from '#contract/page-request.ts'
import type { Store } from '#web/house/stores/store.ts'
import { setCookie } from '#web/session/cookie.ts'

/** The theme to which each page is switching. The store changes in the middle of the transition. */
const chosen = new WeakMap<Store<Theme>, Theme>()

/** Switches the theme. A press during a transition inverts its target, not the theme that is still visible. */
export function toggleTheme(store: Store<Theme>, pressed: Element): Promise<void> {
  return switchTheme(store, isDark(chosen.get(store) ?? store.get()) ? 'light' : 'dark', pressed)
}

function isDark(theme: Theme): boolean {
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
}

export async function switchTheme(store: Store<Theme>, next: Theme, pressed: Element): Promise<void> {
  chosen.set(store, next)
  setCookie('theme', next, CHOICE_COOKIE_SECONDS)
  // Transitions may overlap and end in any order, so each transition applies the latest choice.
  const apply = () => store.set(chosen.get(store) ?? next)
  const plain = matchMedia('(prefers-reduced-motion: reduce)').matches || !document.startViewTransition
  try {
    if (!plain) await (await import('./theme-transition.ts')).showTransition(next, pressed, apply)
  } finally {
    apply()
  }
}
