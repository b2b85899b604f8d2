import { expect, it } from 'vitest'
import type { ActivationRecord, ActiveNumbers } from '#contract/activation.ts'
import { activationRecord } from '#test/builders/activation-record.ts'
import { mergeTickets } from './merge-tickets.ts'
import { ACTIVATIONS } from './number-kind.ts'
import { placeOf, replacedIds, type TicketPlaces, withPlace } from './ticket-places.ts'

const first = { id: 1, created_at: '2026-05-01T12:00:00.000Z' }
const second = { id: 2, created_at: '2026-05-01T12:05:00.000Z' }
const third = { id: 3, created_at: '2026-05-01T12:09:00.000Z' }

it('keeps a place through every replacement', () => {
  const places = withPlace(withPlace({}, first, second), second, third)
  expect(placeOf(places, third)).toMatchObject(first)
  expect([...replacedIds(places)]).toEqual([1, 2])
})

it('leaves a ticket that replaced nothing where it stands', () => {
  expect(placeOf(withPlace({}, first, second), third)).toBe(third)
})

it('shows the fresh number in the old place of the list, and the old one no more', () => {
  const other = activationRecord({ id: 4, created_at: '2026-05-01T12:07:00.000Z' })
  const old = activationRecord({ ...first, state: 'cancelled', final: true })
  const fresh = activationRecord(third)
  const ids = (places: TicketPlaces) =>
    mergeTickets({ kind: ACTIVATIONS, filter: {}, pages: [pageOf(fresh, other)], kept: [old], places }).map(
      ({ id }) => id,
    )
  expect(ids({})).toEqual([3, 4, 1])
  expect(ids(withPlace({}, first, third))).toEqual([4, 3])
})

function pageOf(...data: ActivationRecord[]): ActiveNumbers {
  const numbers = { data, meta: { last_page: 1, total: data.length } }
  return { status: true, numbers, antifraud: [], total_count: data.length }
}
