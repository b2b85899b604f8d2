import { DAY } from '#contract/time.ts'

/** Days that can be chosen by one press, by their name in the address: so many up to today, or all there are. */
export const PERIOD_DAYS = { today: 1, '7': 7, '30': 30, '90': 90, '365': 365, all: null } as const
export type Period = keyof typeof PERIOD_DAYS

/** Which days are looked at. `picked`: from and until these days, both included; an open end is null. */
export type DaysChoice = { kind: 'period'; period: Period } | { kind: 'picked'; from: string | null; to: string | null }

/** Days as the calls take them. */
export type DayRange = { from?: string; to?: string }

/** No account is older, and a date that is being typed begins with the years before it. */
export const FIRST_DAY = '2000-01-01'
const DATE_PATTERN = /^\d{4}-\d{2}-\d{2}$/

/** The day it is now in a time zone, "2026-03-05". */
export function todayIn(timeZone: string, nowMs: number): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const part = Object.fromEntries(parts.formatToParts(nowMs).map(({ type, value }) => [type, value]))
  return `${part.year}-${part.month}-${part.day}`
}

/** `days` later; earlier when negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)
}

/** `?period=7`, or `?from=2026-03-01&to=2026-03-05`; what is neither is `fallback`. */
export function readDays(params: URLSearchParams, fallback: Period, offered: readonly Period[]): DaysChoice {
  const from = readDay(params.get('from'))
  const to = readDay(params.get('to'))
  if (from !== null || to !== null) {
    // Typed the wrong way round.
    const turned = from !== null && to !== null && from > to
    return { kind: 'picked', from: turned ? to : from, to: turned ? from : to }
  }
  const period = offered.find((known) => known === params.get('period'))
  return { kind: 'period', period: period ?? fallback }
}

/** What the address says of it: empty values are left out there. */
export function daysInAddress(choice: DaysChoice, fallback: Period): { period: string; from: string; to: string } {
  if (choice.kind === 'picked') return { period: '', from: choice.from ?? '', to: choice.to ?? '' }
  return { period: choice.period === fallback ? '' : choice.period, from: '', to: '' }
}

/** The days of a choice as dates; null when they depend on `today` and that is not known yet. */
export function rangeOf(choice: DaysChoice, today: string | null): DayRange | null {
  if (choice.kind === 'picked') {
    return { ...(choice.from === null ? {} : { from: choice.from }), ...(choice.to === null ? {} : { to: choice.to }) }
  }
  const days = PERIOD_DAYS[choice.period]
  if (days === null) return {}
  return today === null ? null : { from: addDays(today, 1 - days), to: today }
}

/** The same with both ends, and no more than `maxDays` up to the last of them: a plot has to begin and end somewhere. */
export function closedRangeOf(
  choice: DaysChoice,
  today: string | null,
  maxDays: number,
): { from: string; to: string } | null {
  const range = rangeOf(choice, today)
  if (range === null || today === null) return null
  const to = range.to === undefined || range.to > today ? today : range.to
  const first = addDays(to, 1 - maxDays)
  const from = range.from === undefined || range.from < first ? first : range.from
  return { from: from > to ? to : from, to }
}

function readDay(text: string | null): string | null {
  if (text === null || !DATE_PATTERN.test(text) || text < FIRST_DAY) return null
  const time = Date.parse(text)
  // 2026-02-30 is written like a day and is none.
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text) ? text : null
}
