import type { Locale } from '#contract/constants.ts'
import type { Currency } from '#contract/money.ts'

type ListFilter = {
  load?: 'all' | undefined
  search?: string | undefined
  page: number
  per_page: number
  version?: number | undefined
}

/** Returns a list's cache key: null for searches and pages after the first, which are many and quick to compute. */
export function listName(from: {
  version: number
  locale: Locale
  currency: Currency
  favorites: ReadonlySet<string>
  filter: ListFilter
}): string | null {
  const { version: _ignored, page, per_page, ...filter } = from.filter
  const isWhole = filter.load === 'all'
  if (filter.search !== undefined || (!isWhole && page !== 1)) return null
  const rows = isWhole ? 'all' : per_page
  return JSON.stringify([from.version, from.locale, from.currency, filter, rows, [...from.favorites].sort()])
}
