import { expect, expectTypeOf, test } from 'vitest'
import { areas } from '#contract/calls/areas.ts'
import type { DeclaredCall } from '#contract/calls/call.ts'
import type { route } from '#server/house/http/call.ts'
import { calls } from './app.ts'

const declared: readonly DeclaredCall[] = Object.values(areas).flatMap((area) => Object.values(area))

test('every call of the contract has one route, and there is no route that the contract does not declare', () => {
  expect(calls.map(({ key }) => key).sort()).toEqual(declared.map(({ key }) => key).sort())
  expect(new Set(calls.map(({ key }) => key)).size).toBe(calls.length)
})

test.each(declared.map((call) => [call.key, call] as const))(
  '%s is for those alone that the contract names',
  (key, { who }) => {
    const { staff, ...open } = who
    const served = calls.find((call) => call.key === key)
    const { auth, scope, sandbox, admitsBlocked } = served ?? {}
    expect({ auth, scope, sandbox, admitsBlocked }).toEqual(open)
    expect(served?.admit === undefined).toBe(staff === undefined)
  },
)

test('a route without its constant, or of staff without its guard, does not compile', () => {
  expectTypeOf<typeof areas.rentals.extend>().toExtend<Parameters<typeof route>[0]>()
  expectTypeOf<typeof areas.staff.tickets>().not.toExtend<Parameters<typeof route>[0]>()
  expectTypeOf<{ key: 'GET /api/v1/unheard-of' }>().not.toExtend<Parameters<typeof route>[0]>()
  expectTypeOf<Omit<typeof areas.rentals.extend, 'who'>>().not.toExtend<Parameters<typeof route>[0]>()
})
