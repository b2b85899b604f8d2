import { flushSync } from 'react-dom'
import { THEME_SWITCH_MS } from '#contract/constants.ts'
import type { Theme } from '#contract/page-request.ts'

/**
 * Animates a change of theme. A sheet in the new paper colour grows from the pressed button until THEME_SWITCH_MS. Then
 * `apply` switches the theme, and a View Transition cross-fades until THEME_END_MS (see styles.css).
 */
export async function showTransition(next: Theme, pressed: Element, apply: () => void): Promise<void> {
  const sheet = layThemeSheet(next)
  const { left, top, width, height } = pressed.getBoundingClientRect()
  const [x, y] = [left + width / 2, top + height / 2]
  const radius = Math.hypot(Math.max(x, innerWidth - x), Math.max(y, innerHeight - y))
  const clipPath = [0, radius].map((size) => `circle(${size}px at ${x}px ${y}px)`)
  try {
    await sheet.animate({ clipPath }, { duration: THEME_SWITCH_MS, easing: 'ease-in', fill: 'forwards' }).finished
    const transition = document.startViewTransition(() => {
      sheet.remove()
      flushSync(apply)
    })
    // On a hidden page the transition rejects, although the theme has switched.
    await Promise.allSettled([transition.ready, transition.finished])
  } finally {
    sheet.remove()
  }
}

/** Creates the sheet with the new theme's class, so that the design tokens give its colour. */
function layThemeSheet(next: Theme): HTMLElement {
  const sheet = document.createElement('div')
  sheet.className = `${next} fixed inset-0 z-100 bg-paper pointer-events-none`
  document.body.append(sheet)
  return sheet
}
