import { expect, it } from 'vitest'
import { activationRecord } from '#test/builders/activation-record.ts'
import { rentalRecord } from '#test/builders/rental-record.ts'
import { endsSoon, groupRows } from './group-rows.ts'

it('groups numbers by what they need, and keeps their order', () => {
  const records = [
    activationRecord({ id: 1 }),
    activationRecord({ id: 2, state: 'received', code: '123456' }),
    activationRecord({ id: 3, state: 'cancelled', final: true }),
    activationRecord({ id: 4, state: 'waiting_again', code: '123456' }),
    activationRecord({ id: 5, state: 'received', code: null }),
    activationRecord({ id: 6 }),
  ]
  const groups = groupRows(records, ({ id }) => id === 6 || id === 2)
  expect(groups.map(({ group, records: rows }) => [group, ...rows.map(({ id }) => id)])).toEqual([
    ['came', 2, 5],
    ['waiting', 1, 4],
    ['ending', 6],
    ['ended', 3],
  ])
})

it('a rental with a code is among those whose code came', () => {
  const records = [rentalRecord({ id: 1, code: '1234' }), rentalRecord({ id: 2 })]
  expect(groupRows(records, () => false).map(({ group }) => group)).toEqual(['came', 'waiting'])
})

it.each([
  [120, false],
  [119, true],
  [-5, true],
])('%i seconds before its end an activation ends soon: %s', (seconds, soon) => {
  const { expires_at: endsAt, ...record } = activationRecord()
  expect(endsSoon({ ...record, expires_at: endsAt }, endsAt, Date.parse(endsAt) - seconds * 1_000)).toBe(soon)
})

it('the server says when a rental ends soon', () => {
  const record = rentalRecord({ expiring: true })
  expect(endsSoon(record, record.expired_date, Date.parse(record.created_at))).toBe(true)
})
