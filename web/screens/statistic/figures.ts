import type { useTranslations } from 'use-intl'
import { wholePercent } from '#contract/formats/percent.ts'
import { type Currency, formatMoney, parseDecimal, toDecimal } from '#contract/money.ts'
import type { StatisticsReply, StatisticsSum } from '#contract/past/history.ts'
import { DAY } from '#contract/time.ts'
import { formatCount } from '#web/ui/marks/initial/measured-words.ts'

export type Words = ReturnType<typeof useTranslations<'statistic'>>
export type StepSum = StatisticsSum & { at: string }
type Period = Pick<StatisticsReply['data'], 'days' | 'hours'>

/** Returns the sums of the plots: by hour if the server counted hours, else by day. */
export function stepsOf({ days, hours }: Period): StepSum[] {
  return hours ?? days.map(({ day, ...sum }) => ({ ...sum, at: day }))
}

export function readerOf({ hours }: Pick<Period, 'hours'>, zone: { locale: string; timeZone: string }) {
  return hours === null ? dayReader(zone.locale) : hourReader(zone)
}

/** Formats steps for an axis (`short`) and in words (`long`), in which nothing else names the day. */
type StepReader = { short: (at: string) => string; long: (at: string) => string }

function dayReader(locale: string): StepReader {
  return { short: dayFormat(locale, false), long: dayFormat(locale, true) }
}

function hourReader({ locale, timeZone }: { locale: string; timeZone: string }): StepReader {
  const hour = new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const day = new Intl.DateTimeFormat(locale, { timeZone, day: 'numeric', month: 'short' })
  const hourOf = (at: string) => hour.format(Date.parse(at))
  const dayOf = (at: string) => day.format(Date.parse(at))
  return {
    // The first hour of a day stands for the day.
    short: (at) => (hourOf(at) === '00:00' ? dayOf(at) : hourOf(at)),
    long: (at) => `${dayOf(at)}, ${hourOf(at)}`,
  }
}

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3_600
const LONG_SECONDS = 100

/** Formats 8.4 as "8 s", 130 as "2 min 10 s" and 7300 as "2 h". */
export function formatDuration(t: Words, seconds: number): string {
  const whole = Math.max(1, Math.round(seconds))
  if (whole < LONG_SECONDS) return t('seconds', { count: whole })
  if (whole >= 2 * HOUR_SECONDS) return t('hours', { count: Math.round(whole / HOUR_SECONDS) })
  const rest = whole % MINUTE_SECONDS
  const minutes = (whole - rest) / MINUTE_SECONDS
  return rest === 0 ? t('minutes', { count: minutes }) : t('minutesAndSeconds', { minutes, seconds: rest })
}

/** Formats "2026-03-05" as "5 Mar", in UTC, because the server has already applied the reader's zone. */
export function dayFormat(locale: string, withYear: boolean): (day: string) => string {
  const format = new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    ...(withYear ? { year: 'numeric' } : {}),
  })
  return (day) => format.format(Date.parse(day))
}

export function spansYears(days: readonly { day: string }[]): boolean {
  const first = days[0]?.day
  const last = days.at(-1)?.day
  return first !== undefined && last !== undefined && Date.parse(last) - Date.parse(first) > 300 * DAY
}

/** Returns the average amount of money per purchase, rounded to hundredths; null without purchases. */
export function spentPerPurchase({ spent, purchases }: StatisticsSum): string | null {
  const micros = parseDecimal(spent)
  if (micros === null || purchases === 0) return null
  const cents = 10_000n
  const average = (micros / cents + BigInt(purchases) / 2n) / BigInt(purchases)
  return toDecimal(average * cents)
}

export function formatScaleMoney(value: number, currency: Currency, locale: string): string {
  return formatMoney(value.toFixed(2), currency, locale).replace(/[.,]00(?!\d)/, '')
}

/** Formats the change from `before` to `now` as "+12 %"; null if there was nothing before. */
export function changeWords(now: number, before: number, locale: string): string | null {
  if (before === 0) return null
  const percent = Math.round(((now - before) / before) * 100)
  return `${signOf(percent)}${formatCount(Math.abs(percent), locale)}${locale.startsWith('ru') ? '\u00a0' : ''}%`
}

/** Formats the change of a share in percentage points. */
export function pointsWords(t: Words, now: number | null, before: number | null): string | null {
  if (now === null || before === null) return null
  const points = wholePercent(now) - wholePercent(before)
  return t('delta.points', { points: `${signOf(points)}${Math.abs(points)}` })
}

/** Says by how much the codes came sooner or later. */
export function soonerWords(t: Words, now: number | null, before: number | null): string | null {
  if (now === null || before === null) return null
  const seconds = Math.round(now) - Math.round(before)
  if (seconds === 0) return t('delta.same')
  return t(seconds < 0 ? 'delta.sooner' : 'delta.later', { time: formatDuration(t, Math.abs(seconds)) })
}

function signOf(change: number): string {
  return change > 0 ? '+' : change < 0 ? '−' : ''
}
