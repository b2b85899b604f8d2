import { HOUR } from '#contract/time.ts'
import { readChoice } from '../components/buy-panel/choice.ts'

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

/** Where the choice he made is, once; null when there is none. */
export function takeWanted(): string | null {
  const text = localStorage.getItem(KEY)
  if (text === null) return null
  localStorage.removeItem(KEY)
  // Written by the function above.
  const { address, at } = JSON.parse(text) as { address: string; at: number }
  return Date.now() - at < KEPT_MS ? address : null
}
