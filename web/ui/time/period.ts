import { useTranslations } from 'use-intl'

const HOURS_IN_DAY = 24
const SECONDS_IN_HOUR = 3_600

export function periodParts(hours: number): { unit: 'hours' | 'days'; count: number } {
  const days = hours / HOURS_IN_DAY
  return Number.isInteger(days) ? { unit: 'days', count: days } : { unit: 'hours', count: hours }
}

/** Returns a formatter of hours: 4 becomes "4 hours" and 72 becomes "3 days". */
export function usePeriodWords(): (hours: number) => string {
  const t = useTranslations('rent')
  return (hours) => {
    const { unit, count } = periodParts(hours)
    return t(unit, { count })
  }
}

/** The units of the time left: days and hours, then hours and minutes, then seconds in the last hour. */
export type LeftParts =
  | { unit: 'days'; days: number; hours: number }
  | { unit: 'hours'; hours: number; minutes: number }
  | { unit: 'seconds'; seconds: number }

export function leftParts(seconds: number): LeftParts {
  const hours = Math.floor(seconds / SECONDS_IN_HOUR)
  if (hours >= HOURS_IN_DAY) {
    return { unit: 'days', days: Math.floor(hours / HOURS_IN_DAY), hours: hours % HOURS_IN_DAY }
  }
  if (hours > 0) return { unit: 'hours', hours, minutes: Math.floor((seconds % SECONDS_IN_HOUR) / 60) }
  return { unit: 'seconds', seconds }
}
