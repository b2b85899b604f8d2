import { CLIENT_PAGE_SIZE } from '#contract/constants.ts'
import { HISTORY_OUTCOMES, type HistoryFilter, type HistoryOutcome, type MovementsFilter } from '#contract/history.ts'
import { withValues } from '#web/past/address.ts'
import { type DayRange, type DaysChoice, daysInAddress, type Period, readDays } from '#web/past/past-days.ts'
import { type PurchaseChoice, purchasesInput, readPurchases } from '#web/past/purchase-choice.ts'

export const HISTORY_PERIODS: readonly Period[] = ['today', '7', '30', 'all']
export const HISTORY_FALLBACK: Period = 'all'
export const DIRECTIONS = ['in', 'out'] as const
const MAX_SEARCH_LENGTH = 100

export type View = 'numbers' | 'money'

/** The query of /history. Both views share the days; the rest belongs to one of them. */
export type HistoryChoice = PurchaseChoice & {
  view: View
  days: DaysChoice
  search: string
  outcome: HistoryOutcome | null
  direction: (typeof DIRECTIONS)[number] | null
}

/** `?view=money&direction=in`, `?period=7&mode=rent&outcome=returned&search=7705&services=tg,wa&countries=2`. */
export function readHistory(params: URLSearchParams): HistoryChoice {
  return {
    view: params.get('view') === 'money' ? 'money' : 'numbers',
    days: readDays(params, HISTORY_FALLBACK, HISTORY_PERIODS),
    search: (params.get('search') ?? '').trim().slice(0, MAX_SEARCH_LENGTH),
    ...readPurchases(params),
    outcome: HISTORY_OUTCOMES.find((known) => known === params.get('outcome')) ?? null,
    direction: DIRECTIONS.find((known) => known === params.get('direction')) ?? null,
  }
}

/** Keeps other parameters. */
export function writeHistory(params: URLSearchParams, choice: HistoryChoice): URLSearchParams {
  return withValues(params, {
    view: choice.view === 'money' ? 'money' : '',
    ...daysInAddress(choice.days, HISTORY_FALLBACK),
    search: choice.search,
    mode: choice.mode ?? '',
    outcome: choice.outcome ?? '',
    services: choice.services.join(','),
    countries: choice.countries.join(','),
    direction: choice.direction ?? '',
  })
}

/** The target of "clear". */
export function unfiltered(view: View): HistoryChoice {
  return readHistory(new URLSearchParams({ view }))
}

/** Counts all filters but the search, which is always visible. */
export function countFilters({ view, days, mode, outcome, services, countries, direction }: HistoryChoice): number {
  const byDays = days.kind === 'picked' || days.period !== HISTORY_FALLBACK
  const counted = view === 'money' ? [byDays, direction !== null] : [byDays, mode !== null, outcome !== null]
  const ids = view === 'money' ? 0 : services.length + countries.length
  return counted.filter(Boolean).length + ids
}

export function isNarrowed(choice: HistoryChoice): boolean {
  return countFilters(choice) > 0 || (choice.view === 'numbers' && choice.search !== '')
}

type Days = { range: DayRange; timeZone: string | null }

/** The input of the call without its page, also used as the query key. */
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

/** The same for money movements. */
export function movementsInput({ direction }: HistoryChoice, days: Days): MovementsFilter {
  return { ...daysInput(days), ...(direction === null ? {} : { direction }), per_page: CLIENT_PAGE_SIZE }
}

/** Without days the zone has no effect, so it is omitted: server and browser then share one query key. */
function daysInput({ range, timeZone }: Days) {
  const dated = range.from !== undefined || range.to !== undefined
  return { ...range, ...(dated && timeZone !== null ? { time_zone: timeZone } : {}) }
}
