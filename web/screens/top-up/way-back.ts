import { HOUR } from '#contract/time.ts'
import { redirectPath } from '#web/navigation/redirect-path.ts'

const KEY = 'top-up-back'
/** After this time the path is forgotten, because a later top-up has another purpose. */
const KEPT_MS = HOUR

/** Stores the path while the payer is at the bank, whose page leads only to the top-up. */
export function rememberBack(path: string): void {
  sessionStorage.setItem(KEY, JSON.stringify({ path, at: Date.now() }))
}

/** Forgets the path once it has been used, so that later top-ups do not lead there. */
export function forgetBack(): void {
  sessionStorage.removeItem(KEY)
}

export function readBack(): string | null {
  try {
    const { path, at } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
    return Date.now() - at < KEPT_MS ? redirectPath(path) : null
  } catch {
    // A corrupt entry in sessionStorage counts as none.
    return null
  }
}
