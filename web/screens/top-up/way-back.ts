import { HOUR } from '#contract/time.ts'
import { redirectPath } from '#web/navigation/redirect-path.ts'

const KEY = 'top-up-back'
/** A later top-up has another purpose. */
const KEPT_MS = HOUR

/** Kept while the payer is at the bank, whose page leads to the top-up alone. */
export function rememberBack(path: string): void {
  sessionStorage.setItem(KEY, JSON.stringify({ path, at: Date.now() }))
}

/** Once it has been taken, it is no longer where a top-up leads. */
export function forgetBack(): void {
  sessionStorage.removeItem(KEY)
}

/** A path of this site, or null. */
export function readBack(): string | null {
  try {
    const { path, at } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
    return Date.now() - at < KEPT_MS ? redirectPath(path) : null
  } catch {
    // A spoilt entry leads nowhere.
    return null
  }
}
