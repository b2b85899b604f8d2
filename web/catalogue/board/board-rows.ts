import { type DirectoryItem, MIN_SHARES, PRICE_LIST_SORTS, type PriceListSort } from '#contract/content.ts'
import { wholePercent } from '#contract/formats/percent.ts'
import { parseDecimal } from '#contract/money.ts'

export type BoardRow = Omit<DirectoryItem, 'price'> & { price: string }

export type MinShare = (typeof MIN_SHARES)[number]
export type BoardView = { sort: PriceListSort; minShare: MinShare }

export const DEFAULT_SORT: PriceListSort = 'price'

export function readBoardView(params: URLSearchParams): BoardView {
  return {
    sort: PRICE_LIST_SORTS.find((sort) => sort === params.get('sort')) ?? DEFAULT_SORT,
    minShare: MIN_SHARES.find((share) => String(share) === params.get('min_share')) ?? 0,
  }
}

/** Returns the rows with at least the share, in the order of the view. Rows without a figure come last. */
export function shownRows(rows: readonly BoardRow[], { sort, minShare }: BoardView, locale: string): BoardRow[] {
  return sortRows(
    rows.filter((row) => hasShare(row, minShare)),
    sort,
    locale,
  )
}

function hasShare({ success_share: share }: BoardRow, minShare: MinShare): boolean {
  return minShare === 0 || (share !== null && wholePercent(share) >= minShare)
}

function sortRows(rows: BoardRow[], sort: PriceListSort, locale: string): BoardRow[] {
  switch (sort) {
    case 'popular':
      return rows
    case 'name': {
      const { compare } = new Intl.Collator(locale)
      return rows.toSorted((a, b) => compare(a.name, b.name))
    }
    case 'price':
      return byLeast(rows, ({ price }) => microsOf(price))
    case 'share':
      return byLeast(rows, ({ success_share: share }) => (share === null ? null : -share))
    case 'time':
      return byLeast(rows, ({ median_seconds: seconds }) => seconds)
    case 'stock':
      return byLeast(rows, ({ count }) => -count)
    default:
      return sort satisfies never
  }
}

function byLeast(rows: BoardRow[], figureOf: (row: BoardRow) => number | null): BoardRow[] {
  const figure = (row: BoardRow) => figureOf(row) ?? Number.POSITIVE_INFINITY
  return rows.toSorted((a, b) => (figure(a) === figure(b) ? 0 : figure(a) - figure(b)))
}

export function cheapestOf(rows: readonly BoardRow[]): BoardRow | undefined {
  return rows.reduce<BoardRow | undefined>(
    (least, row) => (least === undefined || microsOf(row.price) < microsOf(least.price) ? row : least),
    undefined,
  )
}

/** Prices stay far below 2^53 millionths, so the conversion is exact. */
function microsOf(price: string): number {
  return Number(parseDecimal(price) ?? 0n)
}

/** Returns the step of the heat scale, 0 … 4, or null if no share was measured. */
export function heatOf(share: number | null): number | null {
  if (share === null) return null
  return MIN_SHARES.filter((least) => least > 0 && wholePercent(share) >= least).length
}

/** Returns the path with one parameter changed. An empty or default value leaves the query. */
export function withParam(search: string, name: string, value: string): string {
  const params = new URLSearchParams(search)
  if (value === '') params.delete(name)
  else params.set(name, value)
  return `?${params}`
}
