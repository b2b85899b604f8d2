import type { useTranslations } from 'use-intl'
import { type Currency, formatMoney, parseDecimal, toDecimal } from '#contract/money.ts'
import type { StatisticsReply, StatisticsSum } from '#contract/past/history.ts'
import { DAY } from '#contract/time.ts'

export type Words = ReturnType<typeof useTranslations<'statistic'>>
export type DaySum = StatisticsReply['data']['days'][number]

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
