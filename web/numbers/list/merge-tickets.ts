import { matchesFilter, type NumberRecord, type NumbersFilter, type NumbersPage } from '#web/live/numbers-cache.ts'
import type { NumberKind } from './number-kind.ts'
import { type Place, placeOf, replacedIds, type TicketPlaces } from './ticket-places.ts'

type Loaded<Item extends NumberRecord> = {
  kind: Pick<NumberKind<Item>, 'endsAt'>
  filter: NumbersFilter
  pages: readonly NumbersPage<Item>[]
  kept: readonly Item[]
  places?: TicketPlaces
}

/** Merges the pages into a sorted list. Pages that shifted during loading contain duplicates, which are removed. */
export function mergeTickets<Item extends NumberRecord>(loaded: Loaded<Item>): Item[] {
  const { kind, filter, pages, kept, places = {} } = loaded
  const byId = new Map<number, Item>()
  for (const page of pages) for (const record of page.numbers.data) byId.set(record.id, record)
  // The records of ended tickets that stay in view are newer than the records of the same tickets in the loaded pages.
  for (const record of kept) if (matchesFilter(record, filter)) byId.set(record.id, record)
  for (const id of replacedIds(places)) byId.delete(id)
  const records = [...byId.values()]
  const byAge = (left: Item, right: Item) => compareAge(placeOf(places, left), placeOf(places, right))
  switch (filter.sort ?? 'newest') {
    case 'oldest':
      return records.sort(byAge)
    case 'expiring': {
      const end = (record: Item) => Date.parse(kind.endsAt(record))
      return records.sort(
        (left, right) => Number(left.final) - Number(right.final) || end(left) - end(right) || byAge(left, right),
      )
    }
    default:
      return records.sort((left, right) => byAge(right, left))
  }
}

function compareAge(left: Place, right: Place): number {
  return Date.parse(left.created_at) - Date.parse(right.created_at) || left.id - right.id
}
