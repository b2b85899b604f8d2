import type { ActivationRecord, ActiveNumbers } from '#contract/activation.ts'
import type { Calls } from '#contract/calls/calls.ts'
import type { RentalRecord } from '#contract/rental.ts'

export type NumberRecords = { activation: ActivationRecord; rental: RentalRecord }
export type NumberKindName = keyof NumberRecords
export type NumberRecord = NumberRecords[NumberKindName]

/** `total_count` counts active numbers, whatever the list shows. */
export type NumbersPage<Item extends NumberRecord> = Omit<ActiveNumbers, 'numbers'> & {
  numbers: { data: Item[]; meta: ActiveNumbers['numbers']['meta'] }
}

export type NumbersFilter = Calls['GET /api/user/active-rent-numbers']['input']

export type LoadedList<Item extends NumberRecord> = { filter: NumbersFilter; pages: NumbersPage<Item>[] }

export type LoadedNumbers<Item extends NumberRecord> = {
  lists: LoadedList<Item>[]
  /** Ended tickets that stay in view until the user dismisses them or reloads the page. */
  kept: Item[]
}

/**
 * Puts a number's record into the cached lists of active or ended numbers. Returns the same object if a newer record is
 * already shown (the reply was late).
 */
export function putRecord<Item extends NumberRecord>(loaded: LoadedNumbers<Item>, record: Item): LoadedNumbers<Item> {
  const shown = findRecord(loaded, record.id)
  if (shown !== undefined && isOlder(record, shown)) return loaded
  const lists = loaded.lists.map((list) =>
    showsEnded(list.filter) === record.final ? withRecord(list, record) : withoutRecord(list, record.id),
  )
  const kept = record.final ? [record, ...loaded.kept.filter(({ id }) => id !== record.id)] : loaded.kept
  return { lists, kept }
}

/** Returns the number of active numbers; undefined if no unfiltered list is loaded. */
export function activeCount(loaded: LoadedNumbers<NumberRecord>): number | undefined {
  const list = loaded.lists.find(({ filter }) => isUnfiltered(filter) && !showsEnded(filter))
  return list?.pages[0]?.total_count
}

export function matchesFilter(record: NumberRecord, filter: NumbersFilter): boolean {
  const services = filter.services_ids ?? []
  const countries = filter.countries_ids ?? []
  if (services.length > 0 && !services.includes(record.service.id)) return false
  if (countries.length > 0 && !countries.includes(record.country.id)) return false
  const search = (filter.search ?? '').trim().toLowerCase()
  if (search === '') return true
  const digits = search.replace(/\D/g, '')
  if (digits !== '' && (record.phone ?? '').includes(digits)) return true
  return [record.service.name, record.country.name].some((text) => text.toLowerCase().includes(search))
}

export function findRecord<Item extends NumberRecord>(loaded: LoadedNumbers<Item>, id: number): Item | undefined {
  const listed = loaded.lists.flatMap(({ pages }) => pages.flatMap((page) => page.numbers.data))
  return [...loaded.kept, ...listed].find((record) => record.id === id)
}

function showsEnded(filter: NumbersFilter): boolean {
  return filter.ended === '1'
}

/** Returns true if `incoming` is older than `shown`. Ended states are final; messages and rental hours only grow. */
function isOlder(incoming: NumberRecord, shown: NumberRecord): boolean {
  if (shown.final !== incoming.final) return shown.final
  return messagesOf(incoming) < messagesOf(shown) || hoursOf(incoming) < hoursOf(shown)
}

function messagesOf(record: NumberRecord): number {
  return 'messages_count' in record ? record.messages_count : record.messages.length
}

function hoursOf(record: NumberRecord): number {
  return 'hours' in record ? record.hours : 0
}

function withRecord<Item extends NumberRecord>(list: LoadedList<Item>, record: Item): LoadedList<Item> {
  if (holds(list, record.id))
    return mapPages(list, (data) => data.map((shown) => (shown.id === record.id ? record : shown)))
  const first = list.pages[0]
  if (first === undefined || !matchesFilter(record, list.filter)) return list
  // If some pages are not loaded, the record may be on one of them, and is then already counted.
  const isNew = loadedCount(list) >= first.numbers.meta.total
  const shown = mapPages(list, (data, index) => (index === 0 ? [record, ...data] : data))
  return addToTotals(shown, isNew ? 1 : 0)
}

function withoutRecord<Item extends NumberRecord>(list: LoadedList<Item>, id: number): LoadedList<Item> {
  if (!holds(list, id)) return list
  const rest = mapPages(list, (data) => data.filter((record) => record.id !== id))
  return addToTotals(rest, -1)
}

function holds(list: LoadedList<NumberRecord>, id: number): boolean {
  return list.pages.some((page) => page.numbers.data.some((record) => record.id === id))
}

function mapPages<Item extends NumberRecord>(
  list: LoadedList<Item>,
  change: (data: Item[], index: number) => Item[],
): LoadedList<Item> {
  const pages = list.pages.map((page, index) => ({
    ...page,
    numbers: { ...page.numbers, data: change(page.numbers.data, index) },
  }))
  return { ...list, pages }
}

/** Changes the totals on every page of a list. A list of ended numbers has no count of active numbers. */
function addToTotals<Item extends NumberRecord>(list: LoadedList<Item>, change: number): LoadedList<Item> {
  const plus = (total: number) => Math.max(0, total + change)
  const pages = list.pages.map((page) => ({
    ...page,
    total_count: showsEnded(list.filter) ? page.total_count : plus(page.total_count),
    numbers: { ...page.numbers, meta: { ...page.numbers.meta, total: plus(page.numbers.meta.total) } },
  }))
  return { ...list, pages }
}

function loadedCount(list: LoadedList<NumberRecord>): number {
  return list.pages.reduce((count, page) => count + page.numbers.data.length, 0)
}

function isUnfiltered(filter: NumbersFilter): boolean {
  return (filter.search ?? '') === '' && !filter.services_ids?.length && !filter.countries_ids?.length
}
