import { HOUR } from '#contract/time.ts'
import { readChoice } from '#web/buying/initial/choice.ts'

const KEY = 'wanted-number'
/** A later registration has another purpose. */
const KEPT_MS = 12 * HOUR

/** Keeps the number that the visitor chose in the address until the sign-in, in whatever tab it happens. */
export function rememberWanted(): void {
  const { serviceId, countryId } = readChoice(new URLSearchParams(location.search))
  if (serviceId === null || countryId === null) return
  const address = location.pathname + location.search
  localStorage.setItem(KEY, JSON.stringify({ address, at: Date.now() }))
}

/** After the dialog is closed, only a later choice counts. */
export function forgetWanted(): void {
  localStorage.removeItem(KEY)
}

/** Returns the kept address and forgets it. */
export function takeWanted(): string | null {
  const text = localStorage.getItem(KEY)
  forgetWanted()
  try {
    const { address, at } = JSON.parse(text ?? '{}')
    return Date.now() - at < KEPT_MS ? address : null
  } catch {
    // A spoilt entry must not break the sign-in.
    return null
  }
}
