import { expect, it } from 'vitest'
import { activationRecord } from '#test/builders/activation-record.ts'
import { rentalRecord } from '#test/builders/rental-record.ts'
import { cancelPlan } from './cancel-plan.ts'

const nowMs = Date.parse('2026-05-01T12:03:00.000Z')

it('divides activations by whether they can be cancelled now, later or never', () => {
  const plan = cancelPlan(
    [
      activationRecord({ id: 1 }),
      activationRecord({ id: 2, cancel_from: '2026-05-01T12:04:30.000Z' }),
      activationRecord({ id: 3, state: 'received', code: '123456' }),
      activationRecord({ id: 4, state: 'expired', final: true }),
    ],
    nowMs,
  )
  expect(plan.now.map(({ id }) => id)).toEqual([1])
  expect(plan.later.map(({ record, opensInSeconds }) => [record.id, opensInSeconds])).toEqual([[2, 90]])
  expect(plan.stay.map(({ id }) => id)).toEqual([3])
})

it('a rental can be cancelled until its refund closes or a message comes', () => {
  const plan = cancelPlan([rentalRecord({ id: 1 }), rentalRecord({ id: 2, messages_count: 1 })], nowMs)
  expect([plan.now.map(({ id }) => id), plan.stay.map(({ id }) => id)]).toEqual([[1], [2]])
})
