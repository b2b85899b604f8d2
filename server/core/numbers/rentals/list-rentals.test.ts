import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

const LIST = 'GET /api/user/active-rent-numbers'

test('active rentals are searched, filtered, sorted and paged; ended ones are listed newest first', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '5000.00' })
  const { token } = buyer
  const list = (filter: object = {}) => call(t, LIST, filter, { token, locale: 'ru' })
  const idsOf = async (filter: object = {}) => (await list(filter)).numbers.data.map(({ id }) => id)
  expect(await list()).toEqual({
    status: true,
    numbers: { data: [], meta: { last_page: 1, total: 0 } },
    antifraud: [],
    total_count: 0,
  })
  const whole = await rentOne(t, buyer)
  t.clock.advance(SECOND)
  const short = await rentOne(t, buyer, { period: 4 })
  t.clock.advance(SECOND)
  const telegram = await rentOne(t, buyer, { service_id: 'tg' })
  await rentOne(t, await t.makeUser({ balance: '500.00' }))

  expect(await idsOf()).toEqual([telegram.id, short.id, whole.id])
  expect(await idsOf({ sort: 'oldest' })).toEqual([whole.id, short.id, telegram.id])
  expect(await idsOf({ sort: 'expiring' })).toEqual([short.id, whole.id, telegram.id])
  expect(await idsOf({ services_ids: ['tg'] })).toEqual([telegram.id])
  expect(await idsOf({ services_ids: ['tg', 'full'], countries_ids: [2] })).toHaveLength(3)
  expect(await idsOf({ countries_ids: [0] })).toEqual([])
  expect(await idsOf({ search: short.phone.slice(-4) })).toEqual([short.id])
  expect(await idsOf({ search: 'телегр' })).toEqual([])
  expect(await idsOf({ search: 'TELEGR' })).toEqual([telegram.id])
  expect(await idsOf({ search: 'полная аренда' })).toEqual([short.id, whole.id])
  expect(await idsOf({ search: 'казах' })).toHaveLength(3)
  const second = await list({ page: 2, per_page: 2 })
  expect(second.numbers).toMatchObject({ data: [{ id: whole.id }], meta: { last_page: 2, total: 3 } })
  const beyond = await list({ page: 9, per_page: 2, services_ids: ['full'] })
  expect(beyond).toMatchObject({ numbers: { data: [], meta: { last_page: 1, total: 2 } }, total_count: 3 })

  await call(t, 'POST /api/v1/rentals/{id}/cancel', { id: short.id }, { token })
  await pushSms(t, supplier, { phone: telegram.phone })
  t.clock.advance(MINUTE)
  await call(t, 'POST /api/v1/rentals/{id}/finish', { id: telegram.id }, { token })
  const ended = await list({ ended: '1' })
  expect(ended).toMatchObject({
    numbers: {
      data: [
        { id: telegram.id, state: 'finished', messages: [{ code: '48213' }], cancel_until: null, expiring: false },
        { id: short.id, state: 'cancelled', money: 'released', messages: [] },
      ],
      meta: { last_page: 1, total: 2 },
    },
    total_count: 1,
  })
  expect(await idsOf({ ended: '1', services_ids: ['full'] })).toEqual([short.id])
  expect(await idsOf()).toEqual([whole.id])
})
