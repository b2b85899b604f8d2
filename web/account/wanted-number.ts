import { HOUR } from '#contract/time.ts'
import { readChoice } from '#web/buying/initial/choice.ts'

const KEY = 'wanted-number'
/** A chosen number is forgotten after this time, because a later registration has another purpose. */
const KEPT_MS = 12 * HOUR

/** Stores the number that a visitor chose until the sign-in, which may happen in another tab. */
export function rememberWanted(): void {
  const { serviceId, countryId } = readChoice(new URLSearchParams(location.search))
  if (serviceId === null || countryId === null) return
  const address = location.pathname + location.search
  localStorage.setItem(KEY, JSON.stringify({ address, at: Date.now() }))
}

/** Forgets the stored number, because a visitor who closes the sign-in dialog no longer wants it. */
export function forgetWanted(): void {
  localStorage.removeItem(KEY)
}

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
