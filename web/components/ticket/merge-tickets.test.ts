import { expect, it } from 'vitest'
import type { ActivationRecord, ActiveNumbers } from '#contract/activation.ts'
import { activationRecord } from '#test/activation-record.ts'
import { mergeTickets } from '#web/components/ticket/merge-tickets.ts'

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
const ids = (records: ActivationRecord[]) => records.map(({ id }) => id)

it('shows a number once though two pages bring it', () => {
  expect(ids(mergeTickets([page(record(5), record(4)), page(record(4), record(2))], [], {}))).toEqual([5, 4, 2])
})

it('keeps an ended number in its place, newer than what a list still says', () => {
  const merged = mergeTickets([page(record(5), record(3), record(2))], [ended], {})
  expect(ids(merged)).toEqual([5, 3, 2])
  expect(merged[1]?.state).toBe('expired')
})

it('hides an ended number that the filter leaves out', () => {
  expect(ids(mergeTickets([page()], [ended], { services_ids: ['wa'] }))).toEqual([])
})

it('sorts by age, or by time left with the ended ones last', () => {
  const pages = [page(record(5, { expires_at: '2026-05-01T12:10:00.000Z' }), record(2))]
  expect(ids(mergeTickets(pages, [ended], { sort: 'oldest' }))).toEqual([2, 3, 5])
  expect(ids(mergeTickets(pages, [ended], { sort: 'expiring' }))).toEqual([5, 2, 3])
})
