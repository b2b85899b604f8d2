import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import {
  buyOne,
  count,
  eventsOf,
  expectBooksRight,
  moneyOf,
  pushSms,
  transfersOf,
} from '#test/builders/activation-rows.ts'
import { meetAtRow } from '#test/builders/held-row.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { sweepExpired } from './sweep.ts'

const CANCEL = 'POST /api/v1/activations/{id}/cancel'
const USED = 'POST /api/v1/activations/{id}/used'

test('a number is given back after two minutes: money at once, the supplier told, the other tabs too', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const { token } = buyer
  const { id, phone } = await buyOne(t, buyer)
  t.clock.advance(2 * MINUTE - 1)
  const early = await refused(t, CANCEL, { id }, { token, locale: 'en' })
  expect(early).toEqual({
    status: 409,
    retryAfter: '1',
    body: {
      status: false,
      code: 'EARLY_CANCEL_DENIED',
      message: 'You can cancel this number in 1 s',
      data: { seconds: 1 },
    },
  })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '87.00', held: '13.00' })
  t.clock.advance(1)
  using live = await listen(t, buyer)
  const { data } = await call(t, CANCEL, { id }, { token })
  expect(data).toMatchObject({ id, state: 'cancelled', final: true, money: 'released', code: null })
  expect(await live.next('ActivationChanged')).toEqual({ record: data, names: expect.anything(), balance: '100.00' })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '100.00', held: '0.00' })
  expect(await eventsOf(t.ctx, id)).toEqual(['activation.waiting', 'activation.cancelled'])
  expect(await transfersOf(t.ctx, id)).toEqual(['hold', 'release'])
  expect(supplier.ended).toEqual([])
  await t.runJobs()
  const number = { reference: `${id}-1`, supplierReference: 'fake-1', phone, serviceCode: 'tg' }
  expect(supplier.ended).toEqual([{ number, ending: 'cancelled' }])
  expect((await call(t, CANCEL, { id }, { token })).data).toEqual(data)
  await t.runJobs()
  expect(supplier.ended).toHaveLength(1)
  expect(await transfersOf(t.ctx, id)).toEqual(['hold', 'release'])
  await expectBooksRight(t.ctx)
})

test('a number given back can be sold again, one that was used cannot', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const { token } = buyer
  const first = await buyOne(t, buyer)
  t.clock.advance(2 * MINUTE)
  await call(t, CANCEL, { id: first.id }, { token })
  supplier.onBuy = async (order) => ({ ...supplier.sell(order), phone: first.phone })
  const second = await buyOne(t, buyer)
  expect(second.phone).toBe(first.phone)
  const used = await call(t, USED, { id: second.id }, { token })
  expect(used.data).toMatchObject({ state: 'used', money: 'released', final: true })
  expect(await call(t, USED, { id: second.id }, { token })).toEqual(used)
  await t.runJobs()
  expect(supplier.ended.map(({ ending }) => ending)).toEqual(['cancelled', 'cancelled'])
  const third = await refused(t, 'POST /api/v1/activations', { service_id: 'tg', country_id: 2 }, { token })
  expect(third.body.code).toBe('NO_NUMBERS')
  expect(await moneyOf(t, buyer)).toEqual({ balance: '100.00', held: '0.00' })
  await t.runJobs()
  expect(supplier.ended.map(({ ending }) => ending)).toEqual(['cancelled', 'cancelled', 'unsold'])
  await expectBooksRight(t.ctx)
})

test('after a code, after an end and while suppliers are asked, nothing is given back', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser()
  const { token } = buyer
  const coded = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone: coded.phone })
  t.clock.advance(3 * MINUTE)
  const codeOf = async (key: typeof CANCEL | typeof USED, id: number) =>
    (await refused(t, key, { id }, { token })).body.code
  expect(await codeOf(CANCEL, coded.id)).toBe('CODE_ALREADY_RECEIVED')
  expect(await codeOf(USED, coded.id)).toBe('CODE_ALREADY_RECEIVED')
  await call(t, 'POST /api/v1/activations/{id}/again', { id: coded.id }, { token })
  expect(await codeOf(CANCEL, coded.id)).toBe('CODE_ALREADY_RECEIVED')
  await call(t, 'POST /api/v1/activations/{id}/finish', { id: coded.id }, { token })
  expect(await codeOf(CANCEL, coded.id)).toBe('ACTIVATION_ENDED')
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  supplier.onBuy = async (order) => {
    asked.resolve()
    await gate.promise
    return supplier.sell(order)
  }
  const buying = buyOne(t, buyer)
  await asked.promise
  expect(await codeOf(CANCEL, coded.id + 1)).toBe('IN_PROGRESS')
  gate.resolve()
  expect((await buying).id).toBe(coded.id + 1)
  await expectBooksRight(t.ctx)
})

test('a cancel that is first at the row wins over a code: refunded, the message kept under it, late', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const { id, phone } = await buyOne(t, buyer)
  t.clock.advance(3 * MINUTE)
  const [cancelled, received] = await meetAtRow({ ...t.database, id }, [
    () => call(t, CANCEL, { id }, { token: buyer.token }),
    () => pushSms(t, supplier, { phone }),
  ])
  expect(cancelled).toMatchObject({ status: 'fulfilled', value: { data: { state: 'cancelled' } } })
  expect(received).toMatchObject({ status: 'fulfilled' })
  expect(await count(t.ctx, `messages WHERE given = 'late' AND activation_id = $1`, [id])).toBe(1)
  expect(await eventsOf(t.ctx, id)).toEqual(['activation.waiting', 'activation.cancelled'])
  expect(await count(t.ctx, 'burnt_numbers')).toBe(0)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '100.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test('a code that is first at the row wins over a cancel: captured, the cancel refused', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const { id, phone } = await buyOne(t, buyer)
  t.clock.advance(3 * MINUTE)
  const [received, cancelled] = await meetAtRow({ ...t.database, id }, [
    () => pushSms(t, supplier, { phone }),
    () => refused(t, CANCEL, { id }, { token: buyer.token }),
  ])
  expect(received).toMatchObject({ status: 'fulfilled' })
  expect(cancelled).toMatchObject({ status: 'fulfilled', value: { body: { code: 'CODE_ALREADY_RECEIVED' } } })
  expect(await transfersOf(t.ctx, id)).toEqual(['hold', 'capture'])
  expect(await moneyOf(t, buyer)).toEqual({ balance: '87.00', held: '0.00' })
  await t.runJobs()
  expect(supplier.ended).toEqual([])
  await expectBooksRight(t.ctx)
})

test('cancel, used, expiry and a code all at once on many numbers: each ends one way, and the books are right', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyers = await Promise.all([t.makeUser({ balance: '500.00' }), t.makeUser({ balance: '500.00' })])
  const bought = await Promise.all(Array.from({ length: 24 }, (_, place) => buyOne(t, buyers[place % 2] ?? buyers[0])))
  const keys = await Promise.all(buyers.map((buyer) => t.makeApiKey(buyer)))
  t.clock.advance(20 * MINUTE)
  const press = (verb: string, place: number) => {
    const token = keys[place % 2] ?? ''
    return t.fetch(`/api/v1/activations/${bought[place]?.id}/${verb}`, { method: 'POST', token })
  }
  await Promise.all([
    ...bought.flatMap(({ id, phone }, place) => [
      press('cancel', place),
      pushSms(t, supplier, { phone, messageId: `m-${id}` }),
      press('used', place),
    ]),
    sweepExpired(t.ctx),
    sweepExpired(t.ctx),
  ])
  await t.runJobs()
  const { rows } = await t.ctx.db.query<{ id: bigint; state: string; transfers: string[]; ends: string[] }>({
    text: `SELECT a.id, a.state,
        (SELECT array_agg(kind ORDER BY id) FROM transfers WHERE activation_id = a.id) AS transfers,
        (SELECT array_agg(kind ORDER BY id) FROM events WHERE subject_id = a.id) AS ends FROM activations a`,
  })
  expect(rows).toHaveLength(24)
  for (const { state, transfers, ends } of rows) {
    if (['cancelled', 'used', 'expired'].includes(state)) {
      expect([transfers, ends]).toEqual([
        ['hold', 'release'],
        ['activation.waiting', `activation.${state}`],
      ])
    } else {
      expect(transfers).toEqual(['hold', 'capture'])
      expect(['received', 'finished']).toContain(state)
    }
  }
  expect(await count(t.ctx, 'messages')).toBe(24)
  const told = rows.filter((row) => row.state !== 'received').length
  expect(supplier.ended).toHaveLength(told)
  await expectBooksRight(t.ctx)
})
