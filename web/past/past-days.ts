import { DAY } from '#contract/time.ts'

/** The number of days up to today, by the period's name in the query; null means all days. */
export const PERIOD_DAYS = { today: 1, '7': 7, '30': 30, '90': 90, '365': 365, all: null } as const
export type Period = keyof typeof PERIOD_DAYS

/** In a `picked` choice both days are included, and null sets no bound. */
export type DaysChoice = { kind: 'period'; period: Period } | { kind: 'picked'; from: string | null; to: string | null }

export type DayRange = { from?: string; to?: string }

/** No account is older than this day. An earlier date means that the user is still typing the year. */
export const FIRST_DAY = '2000-01-01'
const DATE_PATTERN = /^\d{4}-\d{2}-\d{2}$/

export function todayIn(timeZone: string, nowMs: number): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const part = Object.fromEntries(parts.formatToParts(nowMs).map(({ type, value }) => [type, value]))
  return `${part.year}-${part.month}-${part.day}`
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)
}

/** Reads days such as `?period=7` or `?from=2026-03-01&to=2026-03-05`. Any other query gives `fallback`. */
export function readDays(params: URLSearchParams, fallback: Period, offered: readonly Period[]): DaysChoice {
  const from = readDay(params.get('from'))
  const to = readDay(params.get('to'))
  if (from !== null || to !== null) {
    const turned = from !== null && to !== null && from > to
    return { kind: 'picked', from: turned ? to : from, to: turned ? from : to }
  }
  const period = offered.find((known) => known === params.get('period'))
  return { kind: 'period', period: period ?? fallback }
}

/** Returns the query parameters for chosen days. Parameters with an empty value do not appear in the URL. */
export function daysInAddress(choice: DaysChoice, fallback: Period): { period: string; from: string; to: string } {
  if (choice.kind === 'picked') return { period: '', from: choice.from ?? '', to: choice.to ?? '' }
  return { period: choice.period === fallback ? '' : choice.period, from: '', to: '' }
}

/** Returns the first and last date; null if they depend on the current day (`today`), which is not known yet. */
export function rangeOf(choice: DaysChoice, today: string | null): DayRange | null {
  if (choice.kind === 'picked') {
    return { ...(choice.from === null ? {} : { from: choice.from }), ...(choice.to === null ? {} : { to: choice.to }) }
  }
  const days = PERIOD_DAYS[choice.period]
  if (days === null) return {}
  return today === null ? null : { from: addDays(today, 1 - days), to: today }
}

/** Returns the date range of a plot, with missing dates filled in, cut to the last `maxDays` days. */
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
  // The comparison rejects dates that do not exist, such as 2026-02-30.
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text) ? text : null
}
