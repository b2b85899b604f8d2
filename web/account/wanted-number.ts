import { HOUR } from '#contract/time.ts'
import { readChoice } from '#web/buying/picker/choice.ts'

const KEY = 'wanted-number'
/** Whoever registers a day later has come for something else. */
const KEPT_MS = 12 * HOUR

/** A visitor who begins to register or sign in has chosen a number in the address: it is kept until he has, in whatever tab. */
export function rememberWanted(): void {
  const { serviceId, countryId } = readChoice(new URLSearchParams(location.search))
  if (serviceId === null || countryId === null) return
  const address = location.pathname + location.search
  localStorage.setItem(KEY, JSON.stringify({ address, at: Date.now() }))
}

/** He closed the dialog: what he chooses later counts. */
export function forgetWanted(): void {
  localStorage.removeItem(KEY)
}

/** Where the choice he made is, once; null when there is none. */
export function takeWanted(): string | null {
  const text = localStorage.getItem(KEY)
  forgetWanted()
  try {
    const { address, at } = JSON.parse(text ?? '{}')
    return Date.now() - at < KEPT_MS ? address : null
  } catch {
    // Spoilt by something else: nobody may fail to sign in by it.
    return null
  }
}
