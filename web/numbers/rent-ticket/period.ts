import { useTranslations } from 'use-intl'

const HOURS_IN_DAY = 24
const SECONDS_IN_HOUR = 3_600

/** A length of time as people say it: hours below a day, days from one on. */
export function periodParts(hours: number): { unit: 'hours' | 'days'; count: number } {
  const days = hours / HOURS_IN_DAY
  return Number.isInteger(days) ? { unit: 'days', count: days } : { unit: 'hours', count: hours }
}

/** 4 → "4 hours", 72 → "3 days". */
export function usePeriodWords(): (hours: number) => string {
  const t = useTranslations('rent')
  return (hours) => {
    const { unit, count } = periodParts(hours)
    return t(unit, { count })
  }
}

/** How the time left of a rental is told: in days and hours, then hours and minutes, in the last hour by the second. */
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
