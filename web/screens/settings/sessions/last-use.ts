import { DAY, HOUR, MINUTE } from '#contract/time.ts'

type Age = { unit: 'minute' | 'hour' | 'day'; count: number }

const MINUTES_OF_HOUR = HOUR / MINUTE
const MINUTES_OF_DAY = DAY / MINUTE

/** Returns whole minutes in their largest unit; null below one minute and for the future. */
export function ageOf(minutes: number): Age | null {
  if (minutes < 1) return null
  if (minutes < MINUTES_OF_HOUR) return { unit: 'minute', count: minutes }
  if (minutes < MINUTES_OF_DAY) return { unit: 'hour', count: Math.floor(minutes / MINUTES_OF_HOUR) }
  return { unit: 'day', count: Math.floor(minutes / MINUTES_OF_DAY) }
}
