import { expect, it } from 'vitest'
import { RENTAL_STATES, type RentalRecord, type RentalState } from '#contract/rental.ts'
import { rentalRecord } from '#test/builders/rental-record.ts'
import { rentalActions } from './rental-actions.ts'

const createdMs = Date.parse('2026-05-01T12:00:00.000Z')

function record(state: RentalState, change: Partial<RentalRecord> = {}): RentalRecord {
  const final = state !== 'reserving' && state !== 'active'
  return rentalRecord({ state, final, ...change })
}
const offered = (rental: RentalRecord, nowMs: number) =>
  rentalActions(rental, nowMs).map(({ verb, closesInSeconds }) => `${verb} ${closesInSeconds ?? '-'}`)

it('offers to cancel while that gives the money back, and then to finish', () => {
  expect(offered(record('active'), createdMs + 60_000)).toEqual(['extend -', 'cancel 1140'])
  expect(offered(record('active'), createdMs + 1_200_000)).toEqual(['extend -', 'finish -'])
  expect(offered(record('active', { messages_count: 1 }), createdMs + 60_000)).toEqual(['extend -', 'finish -'])
  expect(offered(record('active', { cancel_until: null }), createdMs + 60_000)).toEqual(['extend -', 'finish -'])
})

it('offers nothing while the number is being got, and only dismissing after the end', () => {
  expect(offered(record('reserving'), createdMs)).toEqual([])
  for (const state of RENTAL_STATES.slice(2)) expect(offered(record(state), createdMs)).toEqual(['dismiss -'])
})

it('offers nothing between the end of the time and the news of it', () => {
  expect(offered(record('active'), createdMs + 24 * 3_600_000)).toEqual([])
})
