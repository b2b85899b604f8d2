import type { NumberRecord, NumbersPage } from '#web/live/numbers-cache.ts'

/**
 * Returns true if numbers came or ended between the requests of these pages. A number may then be on none of them,
 * because a page is counted from the list's beginning.
 */
export function areTorn(pages: readonly NumbersPage<NumberRecord>[]): boolean {
  const [first, ...others] = pages.map((page) => page.numbers.meta)
  const last = others.at(-1)
  if (first === undefined || last === undefined) return false
  if (others.some(({ total }) => total !== first.total)) return true
  const ids = new Set(pages.flatMap((page) => page.numbers.data.map(({ id }) => id)))
  return pages.length >= last.last_page && ids.size < last.total
}
