import { MAX_PAGE_SIZE } from '#contract/constants.ts'
import type { NumberRecord, NumbersFilter, NumbersPage } from '#web/live/numbers-cache.ts'

type Load<Item extends NumberRecord> = (input: NumbersFilter & { page: number }) => Promise<NumbersPage<Item>>

/**
 * Loads a page of open numbers. The first question asks for the filter's page, which holds the numbers of most buyers. If
 * there are more, the list has the largest pages from its beginning, because groups and counts need all numbers.
 */
export async function loadNumbers<Item extends NumberRecord>(
  load: Load<Item>,
  filter: NumbersFilter,
  page: number,
): Promise<NumbersPage<Item>> {
  const isEnded = filter.ended === '1'
  if (page === 1 || isEnded) {
    const short = await load({ ...filter, page })
    if (isEnded || short.numbers.meta.last_page <= 1) return short
  }
  return await load({ ...filter, per_page: MAX_PAGE_SIZE, page })
}
