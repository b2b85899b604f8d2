import { HOUR } from '#contract/time.ts'
import { readChoice } from '#web/buying/initial/choice.ts'

const KEY = 'wanted-number'
/** After this time the chosen number is forgotten, because a later registration has another purpose. */
const KEPT_MS = 12 * HOUR

/** Stores the number that a visitor chose in the address until the sign-in, in whatever tab that happens. */
export function rememberWanted(): void {
  const { serviceId, countryId } = readChoice(new URLSearchParams(location.search))
  if (serviceId === null || countryId === null) return
  const address = location.pathname + location.search
  localStorage.setItem(KEY, JSON.stringify({ address, at: Date.now() }))
}

/** A closed dialog forgets the stored number, so that only a later choice counts. */
export function forgetWanted(): void {
  localStorage.removeItem(KEY)
}

/** Returns the stored path and removes it. */
export function takeWanted(): string | null {
  const text = localStorage.getItem(KEY)
  forgetWanted()
  try {
    const { address, at } = JSON.parse(text ?? '{}')
    return Date.now() - at < KEPT_MS ? address : null
  } catch {
    // A corrupt entry in localStorage must not break the sign-in.
    return null
  }
}
