import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import {
  buyOne,
  count,
  eventsOf,
  expectBooksRight,
  moneyOf,
  pushSms,
  transfersOf,
} from '#test/builders/activation-rows.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'

const AGAIN = 'POST /api/v1/activations/{id}/again'
const FINISH = 'POST /api/v1/activations/{id}/finish'

test('another code is free, may say the same as the first, and is asked of the supplier once', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const { token } = buyer
  const { id, phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone, text: 'Telegram code: 11111' })
  t.clock.advance(SECOND)
  using live = await listen(t, buyer)
  const { data } = await call(t, AGAIN, { id }, { token })
  expect(data).toMatchObject({ state: 'waiting_again', money: 'captured', code: '11111' })
  expect(await live.next('ActivationChanged')).toEqual({ record: data, names: expect.anything(), balance: null })
  expect((await call(t, AGAIN, { id }, { token })).data).toEqual(data)
  expect(supplier.askedAgain).toEqual([{ reference: `${id}-1`, supplierReference: 'fake-1', phone, serviceCode: 'tg' }])
  t.clock.advance(SECOND)
  // After a request for another code, the same text from the same sender is a second message, even within ten seconds.
  await pushSms(t, supplier, { phone, text: 'Telegram code: 11111' })
  expect(await live.next('NewCode')).toMatchObject({ record: { state: 'received', messages: [{}, {}] } })
  await pushSms(t, supplier, { phone, text: 'Telegram code: 11111' })
  expect(await count(t.ctx, 'messages WHERE activation_id = $1', [id])).toBe(2)
  expect(await transfersOf(t.ctx, id)).toEqual(['hold', 'capture'])
  expect(await moneyOf(t, buyer)).toEqual({ balance: '87.00', held: '0.00' })
  expect(await eventsOf(t.ctx, id)).toEqual([
    'activation.waiting',
    'activation.received',
    'activation.waiting_again',
    'activation.received',
  ])
  const finished = await call(t, FINISH, { id }, { token })
  expect(finished.data).toMatchObject({ state: 'finished', final: true, money: 'captured' })
  expect(await call(t, FINISH, { id }, { token })).toEqual(finished)
  await t.runJobs()
  expect(supplier.ended.map(({ ending }) => ending)).toEqual(['finished'])
  await expectBooksRight(t.ctx)
})

test('a supplier that says no leaves the first code; one that does not answer may still send', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser()
  const { token } = buyer
  const { id, phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone })
  supplier.onAskAgain = async () => false
  const no = await refused(t, AGAIN, { id }, { token })
  expect([no.status, no.body.code]).toEqual([409, 'AGAIN_UNAVAILABLE'])
  expect((await call(t, 'GET /api/v1/activations/{id}', { id }, { token })).data.state).toBe('received')
  supplier.onAskAgain = async () => {
    throw new Error('502 Bad Gateway')
  }
  expect((await call(t, AGAIN, { id }, { token })).data.state).toBe('waiting_again')
  expect((await call(t, FINISH, { id }, { token })).data.state).toBe('finished')
  expect(await transfersOf(t.ctx, id)).toEqual(['hold', 'capture'])
})

test('a message that comes while the supplier says no is kept', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser()
  const { id, phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone, text: 'Telegram code: 11111' })
  supplier.onAskAgain = async () => {
    await pushSms(t, supplier, { phone, text: 'Telegram code: 22222' })
    return false
  }
  expect((await refused(t, AGAIN, { id }, { token: buyer.token })).body.code).toBe('AGAIN_UNAVAILABLE')
  const { data } = await call(t, 'GET /api/v1/activations/{id}', { id }, { token: buyer.token })
  expect(data).toMatchObject({ state: 'received', code: '22222', messages: [{ code: '22222' }, { code: '11111' }] })
})

test('another code needs a first one and time; finishing needs a first one', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser()
  const token = await t.makeApiKey(buyer)
  const { id, phone } = await buyOne(t, buyer)
  for (const key of [AGAIN, FINISH] as const) {
    const early = await refused(t, key, { id }, { token })
    expect([early.status, early.body.code]).toEqual([409, 'NO_CODE_YET'])
  }
  await pushSms(t, supplier, { phone })
  t.clock.advance(20 * MINUTE)
  expect((await refused(t, AGAIN, { id }, { token })).body.code).toBe('ACTIVATION_ENDED')
  expect(supplier.askedAgain).toEqual([])
  await call(t, FINISH, { id }, { token })
  expect((await refused(t, AGAIN, { id }, { token })).body.code).toBe('ACTIVATION_ENDED')
  await expectBooksRight(t.ctx)
})
