import { expect, it } from 'vitest'
import type { ActivationRecord, ActiveNumbers } from '#contract/activation.ts'
import { activationRecord } from '#test/builders/activation-record.ts'
import { rentalRecord } from '#test/builders/rental-record.ts'
import type { NumbersFilter } from '#web/live/numbers-cache.ts'
import { mergeTickets } from './merge-tickets.ts'

function record(id: number, change: Partial<ActivationRecord> = {}): ActivationRecord {
  return activationRecord({
    id,
    phone: `7705000000${id}`,
    created_at: `2026-05-01T12:0${id}:00.000Z`,
    expires_at: `2026-05-01T12:2${id}:00.000Z`,
    cancel_from: `2026-05-01T12:0${id}:00.000Z`,
    ...change,
  })
}
function page(...data: ActivationRecord[]): ActiveNumbers {
  return { status: true, numbers: { data, meta: { last_page: 2, total: 9 } }, antifraud: [], total_count: 9 }
}
const ended = record(3, { state: 'expired', final: true })
const kind = { endsAt: (shown: ActivationRecord) => shown.expires_at }
const merge = (pages: ActiveNumbers[], kept: ActivationRecord[], filter: NumbersFilter) =>
  mergeTickets({ kind, filter, pages, kept })
const ids = (records: ActivationRecord[]) => records.map(({ id }) => id)

it('shows a number once though two pages bring it', () => {
  expect(ids(merge([page(record(5), record(4)), page(record(4), record(2))], [], {}))).toEqual([5, 4, 2])
})

it('keeps an ended number in its place, newer than what a list still says', () => {
  const merged = merge([page(record(5), record(3), record(2))], [ended], {})
  expect(ids(merged)).toEqual([5, 3, 2])
  expect(merged[1]?.state).toBe('expired')
})

it('hides an ended number that the filter leaves out', () => {
  expect(ids(merge([page()], [ended], { services_ids: ['wa'] }))).toEqual([])
})

it('sorts by age, or by time left with the ended ones last', () => {
  const pages = [page(record(5, { expires_at: '2026-05-01T12:10:00.000Z' }), record(2))]
  expect(ids(merge(pages, [ended], { sort: 'oldest' }))).toEqual([2, 3, 5])
  expect(ids(merge(pages, [ended], { sort: 'expiring' }))).toEqual([5, 2, 3])
})

it('sorts rentals by the end of what is paid for', () => {
  const rentals = [
    rentalRecord({ id: 1, expired_date: '2026-05-09T12:00:00.000Z' }),
    rentalRecord({ id: 2, expired_date: '2026-05-02T12:00:00.000Z' }),
    rentalRecord({ id: 3, state: 'finished', final: true }),
  ]
  const numbers = { data: rentals, meta: { last_page: 1, total: 3 } }
  const sorted = mergeTickets({
    kind: { endsAt: (shown) => shown.expired_date },
    filter: { sort: 'expiring' },
    pages: [{ status: true, numbers, antifraud: [], total_count: 2 }],
    kept: [],
  })
  expect(sorted.map(({ id }) => id)).toEqual([2, 1, 3])
})
