import { expect, it } from 'vitest'
import type { ActivationRecord } from '#contract/activation.ts'
import { activationRecord } from '#test/builders/activation-record.ts'
import { rentalRecord } from '#test/builders/rental-record.ts'
import {
  activeCount,
  type LoadedNumbers,
  matchesFilter,
  type NumberRecord,
  type NumbersFilter,
  type NumbersPage,
  putRecord,
} from './numbers-cache.ts'

function record(change: Partial<ActivationRecord> = {}): ActivationRecord {
  return activationRecord({ operator: 'altel', ...change })
}
const message = {
  id: 9,
  sender: 'Telegram',
  text: 'code: 48213',
  code: '48213',
  received_at: '2026-05-01T12:01:00.000Z',
}
const received = record({ state: 'received', money: 'captured', code: '48213', messages: [message] })
const cancelled = record({ state: 'cancelled', money: 'released', final: true })

function page<Item extends NumberRecord>(data: Item[], total = data.length): NumbersPage<Item> {
  return { status: true, numbers: { data, meta: { last_page: 1, total } }, antifraud: [], total_count: total }
}
function loaded<Item extends NumberRecord>(
  pages: NumbersPage<Item>[],
  change: { filter?: NumbersFilter; kept?: Item[] } = {},
): LoadedNumbers<Item> {
  return { lists: [{ filter: change.filter ?? {}, pages }], kept: change.kept ?? [] }
}
function shownIds({ lists }: LoadedNumbers<NumberRecord>): number[][] {
  return lists.flatMap(({ pages }) => pages.map(({ numbers }) => numbers.data.map(({ id }) => id)))
}

it('replaces a record in every list that shows it and counts nothing twice', () => {
  const before = loaded([page([record({ id: 2 }), record()])])
  const both = { ...before, lists: [...before.lists, { filter: { services_ids: ['tg'] }, pages: [page([record()])] }] }
  const after = putRecord(both, received)
  expect(shownIds(after)).toEqual([[2, 1], [1]])
  expect(after.lists.map(({ pages }) => pages[0]?.numbers.data.at(-1)?.code)).toEqual(['48213', '48213'])
  expect(activeCount(after)).toBe(2)
})

it('puts an unknown record first and counts it, on every page of the list', () => {
  const after = putRecord(loaded([page([record({ id: 2 })])]), record())
  expect(shownIds(after)).toEqual([[1, 2]])
  expect(after.lists[0]?.pages[0]).toMatchObject({ total_count: 2, numbers: { meta: { total: 2 } } })
})

it('does not count a record that may stand on a page not loaded yet', () => {
  const after = putRecord(loaded([page([record({ id: 2 })], 30)]), record())
  expect(shownIds(after)).toEqual([[1, 2]])
  expect(after.lists[0]?.pages[0]).toMatchObject({ total_count: 30, numbers: { meta: { total: 30 } } })
})

it('leaves a filtered list alone that the record does not match', () => {
  const after = putRecord(loaded([page<ActivationRecord>([])], { filter: { services_ids: ['wa'] } }), record())
  expect(shownIds(after)).toEqual([[]])
  expect(activeCount(after)).toBeUndefined()
})

it('keeps an ended record in view, out of the lists and the counters', () => {
  const after = putRecord(loaded([page([record({ id: 2 }), record()])]), cancelled)
  expect(shownIds(after)).toEqual([[2]])
  expect(after.kept).toEqual([cancelled])
  expect(after.lists[0]?.pages[0]).toMatchObject({ total_count: 1, numbers: { meta: { total: 1 } } })
})

it('ignores a version older than the one shown', () => {
  const ended = loaded([page<ActivationRecord>([])], { kept: [cancelled] })
  expect(putRecord(ended, record())).toBe(ended)
  const withCode = loaded([page([received])])
  expect(putRecord(withCode, record({ state: 'waiting' }))).toBe(withCode)
})

it('knows the older of two rentals by its messages in all and by the time paid for', () => {
  const shown = loaded([page([rentalRecord({ hours: 48, messages: [message], messages_count: 60 })])])
  for (const older of [
    { hours: 24, messages_count: 60 },
    { hours: 48, messages_count: 59 },
  ]) {
    expect(putRecord(shown, rentalRecord(older))).toBe(shown)
  }
  const newer = putRecord(shown, rentalRecord({ hours: 72, messages_count: 60, expiring: true }))
  expect(newer.lists[0]?.pages[0]?.numbers.data[0]).toMatchObject({ hours: 72, expiring: true })
})

it('moves a rental that ended from the list of active ones to that of ended ones', () => {
  const active = { filter: {}, pages: [page([rentalRecord(), rentalRecord({ id: 2 })])] }
  const endedPage = { ...page([rentalRecord({ id: 3, state: 'expired', final: true })]), total_count: 2 }
  const ended = { filter: { ended: '1' as const }, pages: [endedPage] }
  const finished = rentalRecord({ state: 'finished', final: true })
  const after = putRecord({ lists: [active, ended], kept: [] }, finished)
  expect(shownIds(after)).toEqual([[2], [1, 3]])
  expect(after.kept).toEqual([finished])
  expect(activeCount(after)).toBe(1)
  expect(after.lists[1]?.pages[0]?.numbers.meta.total).toBe(2)
  expect(shownIds(putRecord({ lists: [ended], kept: [] }, rentalRecord({ id: 4 })))).toEqual([[3]])
})

it.each<[NumbersFilter, boolean]>([
  [{}, true],
  [{ search: '  ' }, true],
  [{ search: '+7 705 123' }, true],
  [{ search: '999' }, false],
  [{ search: 'teleg' }, true],
  [{ search: 'KAZAKH' }, true],
  [{ search: 'whats' }, false],
  [{ services_ids: ['wa', 'tg'] }, true],
  [{ services_ids: ['wa'] }, false],
  [{ countries_ids: [2] }, true],
  [{ countries_ids: [0], services_ids: ['tg'] }, false],
])('matches %j: %s', (filter, matches) => {
  expect(matchesFilter(record(), filter)).toBe(matches)
})
