/** Restores the page title; null unless a code is shown in it. */
let restore: (() => void) | null = null

/** Shows the code in the title of an unfocused tab until the tab gets the focus. */
export function showInTitle(words: string): void {
  if (document.hasFocus()) return
  restore?.()
  const before = document.title
  document.title = words
  restore = () => {
    for (const name of ['focus', 'visibilitychange'] as const) removeEventListener(name, seen, true)
    restore = null
    // Another page may have set its own title. Staff titles begin with a count, so the end is compared.
    if (document.title.endsWith(words)) document.title = before
  }
  for (const name of ['focus', 'visibilitychange'] as const) addEventListener(name, seen, true)
}

function seen(): void {
  if (!document.hidden) restore?.()
}
