import { RELOAD_GUARD_MS } from '#contract/constants.ts'

const LOADED_AT = 'loaded-anew-at'

/**
 * Loads a document. Returns false without a network, because the browser's own page would come, and within
 * RELOAD_GUARD_MS of the last load, which ends a reload loop.
 */
export function loadDocument(href: string): boolean {
  if (!navigator.onLine) return false
  const loadedAt = Number(sessionStorage.getItem(LOADED_AT) ?? 0)
  if (Date.now() - loadedAt < RELOAD_GUARD_MS) return false
  sessionStorage.setItem(LOADED_AT, String(Date.now()))
  // After a step in the history, the address bar already shows the wanted page.
  if (href === location.href) location.reload()
  else location.assign(href)
  return true
}
