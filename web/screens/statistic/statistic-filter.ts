import type { QualityFilter, StatisticsFilter } from '#contract/past/history.ts'
import { readIds, withValues } from '#web/past/address.ts'
import { closedRangeOf, type DaysChoice, daysInAddress, type Period, readDays } from '#web/past/past-days.ts'
import { type PurchaseChoice, purchasesInput, readPurchases } from '#web/past/purchase-choice.ts'

export const STATISTIC_PERIODS: readonly Period[] = ['today', '7', '30', '90', '365']
export const STATISTIC_FALLBACK: Period = '30'
const MOST_DAYS = 366
const QUALITY_ROWS = 10

/** The query of /statistic. `service` and `country` filter the table of quality. */
export type StatisticChoice = PurchaseChoice & {
  days: DaysChoice
  service: string | null
  country: number | null
}

/** Reads the query of /statistic: `?period=90&mode=rent&services=tg,wa&countries=2&service=tg&country=6`. */
export function readStatistic(params: URLSearchParams): StatisticChoice {
  const one = readIds(
    new URLSearchParams({ services: params.get('service') ?? '', countries: params.get('country') ?? '' }),
  )
  return {
    days: readDays(params, STATISTIC_FALLBACK, STATISTIC_PERIODS),
    ...readPurchases(params),
    service: one.services[0] ?? null,
    country: one.countries[0] ?? null,
  }
}

export function writeStatistic(params: URLSearchParams, choice: StatisticChoice): URLSearchParams {
  return withValues(params, {
    ...daysInAddress(choice.days, STATISTIC_FALLBACK),
    mode: choice.mode ?? '',
    services: choice.services.join(','),
    countries: choice.countries.join(','),
    service: choice.service ?? '',
    country: choice.country === null ? '' : String(choice.country),
  })
}

export function countFilters({ days, mode, services, countries }: StatisticChoice): number {
  const set = [days.kind === 'picked' || days.period !== STATISTIC_FALLBACK, mode !== null]
  return set.filter(Boolean).length + services.length + countries.length
}

/** Returns the input of the statistics call, also the query key; null until the reader's current day is known. */
export function statisticsInput(
  choice: StatisticChoice,
  reader: { today: string | null; timeZone: string | null },
): StatisticsFilter | null {
  const range = closedRangeOf(choice.days, reader.today, MOST_DAYS)
  if (range === null || reader.timeZone === null) return null
  return { ...range, time_zone: reader.timeZone, ...purchasesInput(choice) }
}

export function qualityInput({ service, country }: StatisticChoice): QualityFilter {
  return {
    ...(service === null ? {} : { service_id: service }),
    ...(country === null ? {} : { country_id: country }),
    per_page: QUALITY_ROWS,
  }
}
