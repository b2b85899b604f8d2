/** How the title of a tab begins while a code waits to be seen in it. */
let restore: (() => void) | null = null

/** Puts the code first in the title of a tab that is not looked at, until it is. */
export function showInTitle(words: string): void {
  if (document.hasFocus()) return
  restore?.()
  const before = document.title
  document.title = words
  restore = () => {
    for (const name of ['focus', 'visibilitychange'] as const) removeEventListener(name, seen, true)
    restore = null
    // A page that was gone to meanwhile has a title of its own.
    if (document.title === words) document.title = before
  }
  for (const name of ['focus', 'visibilitychange'] as const) addEventListener(name, seen, true)
}

function seen(): void {
  if (!document.hidden) restore?.()
}
