import type { NumberRecord, NumbersPage } from '#web/live/numbers-cache.ts'

/** The pages of one polling, which loads them one after the other. */
export type LoadRound<Item extends NumberRecord> = { pages: NumbersPage<Item>[] }

/**
 * Adds a page to the round. Returns the shown and the fresh numbers as one page each when the round has replaced all
 * shown pages, else null. Single pages do not compare, because a number that came moves all others.
 */
export function endOfRound<Item extends NumberRecord>(
  round: LoadRound<Item>,
  loaded: { number: number; page: NumbersPage<Item> },
  shown: readonly NumbersPage<Item>[],
): { shown: NumbersPage<Item>; fresh: NumbersPage<Item> } | null {
  const { number, page } = loaded
  if (number === 1) round.pages = []
  round.pages.push(page)
  const isLast = number === shown.length || number >= page.numbers.meta.last_page
  if (number > shown.length || round.pages.length !== number || !isLast) return null
  const [before, fresh] = [joined(shown), joined(round.pages)]
  return before === null || fresh === null ? null : { shown: before, fresh }
}

function joined<Item extends NumberRecord>(pages: readonly NumbersPage<Item>[]): NumbersPage<Item> | null {
  const [first] = pages
  if (first === undefined) return null
  return { ...first, numbers: { ...first.numbers, data: pages.flatMap((page) => page.numbers.data) } }
}
