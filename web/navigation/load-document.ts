import { RELOAD_GUARD_MS } from '#contract/constants.ts'

const LOADED_AT = 'loaded-anew-at'

/**
 * Leaves this document for `href`, which the server then answers with what it has now. False, and nothing happens, when
 * that was done a moment ago: loading anew did not help, and a page must not do it for ever.
 */
export function loadDocument(href: string): boolean {
  const loadedAt = Number(sessionStorage.getItem(LOADED_AT) ?? 0)
  if (Date.now() - loadedAt < RELOAD_GUARD_MS) return false
  sessionStorage.setItem(LOADED_AT, String(Date.now()))
  // After a step in the history the address is already that of the page that is wanted.
  if (href === location.href) location.reload()
  else location.assign(href)
  return true
}
