import { flushSync } from 'react-dom'
import { THEME_SWITCH_MS } from '#contract/constants.ts'
import type { Theme } from '#contract/page-request.ts'

/**
 * The full-screen transition: a sheet in the new paper's colour opens from what was pressed and covers the page after
 * THEME_SWITCH_MS. There `apply` switches the theme, and the browser's View Transition dissolves the sheet into the page in its
 * new theme until THEME_END_MS (styles.css holds what is between the two).
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
    // A page that was hidden meanwhile skips the show: the theme has switched all the same.
    await Promise.allSettled([transition.ready, transition.finished])
  } finally {
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
