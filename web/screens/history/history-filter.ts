import { CLIENT_PAGE_SIZE, SERVER_PAGE_SIZE } from '#contract/constants.ts'
import type { EntriesFilter } from '#contract/past/entries.ts'
import {
  HISTORY_OUTCOMES,
  type HistoryFilter,
  type HistoryOutcome,
  type StatementFilter,
} from '#contract/past/history.ts'
import type { PaymentsFilter } from '#contract/payment.ts'
import { withValues } from '#web/past/address.ts'
import { type DayRange, type DaysChoice, daysInAddress, type Period, readDays } from '#web/past/past-days.ts'
import { type PurchaseChoice, purchasesInput, readPurchases } from '#web/past/purchase-choice.ts'

export const HISTORY_PERIODS: readonly Period[] = ['today', '7', '30', 'all']
export const HISTORY_FALLBACK: Period = 'all'
export const DIRECTIONS = ['in', 'out'] as const
const MAX_SEARCH_LENGTH = 100

export const VIEWS = ['numbers', 'money', 'payments', 'statement'] as const
export type View = (typeof VIEWS)[number]

/** The query of /history. All views share the days, and two views share the search. */
export type HistoryChoice = PurchaseChoice & {
  view: View
  days: DaysChoice
  search: string
  outcome: HistoryOutcome | null
  direction: (typeof DIRECTIONS)[number] | null
  payment: string | null
}

/** Reads the query of /history, such as `?view=money&direction=in` or `?period=7&mode=rent&search=7705`. */
export function readHistory(params: URLSearchParams): HistoryChoice {
  return {
    view: VIEWS.find((known) => known === params.get('view')) ?? 'numbers',
    days: readDays(params, HISTORY_FALLBACK, HISTORY_PERIODS),
    search: (params.get('search') ?? '').trim().slice(0, MAX_SEARCH_LENGTH),
    ...readPurchases(params),
    outcome: HISTORY_OUTCOMES.find((known) => known === params.get('outcome')) ?? null,
    direction: DIRECTIONS.find((known) => known === params.get('direction')) ?? null,
    payment: params.get('payment')?.slice(0, MAX_SEARCH_LENGTH) || null,
  }
}

export function writeHistory(params: URLSearchParams, choice: HistoryChoice): URLSearchParams {
  return withValues(params, {
    view: choice.view === 'numbers' ? '' : choice.view,
    ...daysInAddress(choice.days, HISTORY_FALLBACK),
    search: choice.search,
    mode: choice.mode ?? '',
    outcome: choice.outcome ?? '',
    services: choice.services.join(','),
    countries: choice.countries.join(','),
    direction: choice.direction ?? '',
    payment: choice.payment ?? '',
  })
}

export function unfiltered(view: View): HistoryChoice {
  return readHistory(new URLSearchParams({ view }))
}

/** Counts the set filters, except the search, which is always visible. */
export function countFilters({ view, days, mode, outcome, services, countries, direction }: HistoryChoice): number {
  const byDays = days.kind === 'picked' || days.period !== HISTORY_FALLBACK
  const isNumbers = view === 'numbers'
  const others = isNumbers ? [mode !== null, outcome !== null] : [view === 'money' && direction !== null]
  return [byDays, ...others].filter(Boolean).length + (isNumbers ? services.length + countries.length : 0)
}

export function hasSearch(view: View): boolean {
  return view === 'numbers' || view === 'payments'
}

export function isNarrowed(choice: HistoryChoice): boolean {
  return countFilters(choice) > 0 || (hasSearch(choice.view) && choice.search !== '')
}

type Days = { range: DayRange; timeZone: string | null }

/** Returns the input of the history call without the page number, which is also the query key. */
export function historyInput(choice: HistoryChoice, days: Days): HistoryFilter {
  const { search, outcome } = choice
  return {
    ...daysInput(days),
    ...(search === '' ? {} : { search }),
    ...purchasesInput(choice),
    ...(outcome === null ? {} : { outcome }),
    per_page: CLIENT_PAGE_SIZE,
  }
}

export function entriesInput({ direction }: HistoryChoice, days: Days): EntriesFilter {
  return { ...daysInput(days), ...(direction === null ? {} : { direction }), per_page: CLIENT_PAGE_SIZE }
}

/** Returns the input of the payments call. Payments have ten rows per page (specification 3). */
export function paymentsInput({ search }: HistoryChoice, days: Days): PaymentsFilter {
  return { ...daysInput(days), ...(search === '' ? {} : { search }), per_page: SERVER_PAGE_SIZE }
}

export function statementInput(days: Days): StatementFilter {
  return daysInput(days)
}

/** Returns the days. The time zone is omitted without days, so that server and browser share one query key. */
function daysInput({ range, timeZone }: Days) {
  const dated = range.from !== undefined || range.to !== undefined
  return { ...range, ...(dated && timeZone !== null ? { time_zone: timeZone } : {}) }
}

export function receiptSearch(transactionId: string): string {
  return writeHistory(new URLSearchParams(), { ...unfiltered('payments'), payment: transactionId }).toString()
}
