import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { WEBHOOK_EVENTS } from '#contract/webhooks/webhook.ts'
import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { sweepPreorders } from '#server/core/numbers/preorders/sweep.ts'
import { payBack } from '#server/core/numbers/refunds/pay-back.ts'
import { sweepRentals } from '#server/core/numbers/rentals/sweep.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { buyOne, count, pushSms } from '#test/builders/activation-rows.ts'
import { begin } from '#test/builders/payments.ts'
import { rentOne } from '#test/builders/rental-rows.ts'
import { addFakeGateway, arrived } from '#test/fakes/fake-gateway.ts'
import { fakeRentOffers } from '#test/fakes/fake-rent.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { type Received, startReceiver } from '#test/fakes/webhook-receiver.ts'
import { call } from '#test/harness/calls.ts'
import type { TestApp, TestUser } from '#test/harness/harness.ts'
import { deliveriesOf, hook, startHooked } from '#test/services/webhook-service.ts'
import { sendDue } from './sending/send-due.ts'

const verified = (secret: string, { body, headers }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>)
const cancel = (t: TestApp, user: TestUser, id: number) => call(t, 'POST /api/v1/activations/{id}/cancel', { id }, user)

test('17.5: a message after the end of a paid order raises no event, and stands in the order all the same', async () => {
  await using t = await startHooked()
  await using receiver = await startReceiver()
  const user = await t.makeUser()
  const { id } = await hook(t, user, { url: receiver.url })
  const supplier = await t.addFake()
  const order = await buyOne(t, user)
  await pushSms(t, supplier, { phone: order.phone, text: 'Your code: 48213' })
  await call(t, 'POST /api/v1/activations/{id}/finish', { id: order.id }, user)
  await pushSms(t, supplier, { phone: order.phone, text: 'Your code: 11111' })
  expect((await deliveriesOf(t, user, id)).map(({ event }) => event)).toEqual(['code.received'])
  const { data } = await call(t, 'GET /api/v1/activations/{id}', { id: order.id }, user)
  expect(data.messages.map(({ code }) => code).toSorted()).toEqual(['11111', '48213'])
})

test('17.5: a code reaches a program signed, and its log says so; its words go when the message’s do', async () => {
  await using t = await startHooked()
  await using receiver = await startReceiver()
  const user = await t.makeUser()
  const { secret, id, ...endpoint } = await hook(t, user, { url: receiver.url })
  const supplier = await t.addFake()
  const order = await buyOne(t, user)
  await pushSms(t, supplier, { phone: order.phone, text: 'Your code: 48213' })
  await pushSms(t, supplier, { phone: order.phone, text: 'Your code: 11111' })
  await sendDue(t.ctx)
  const [one, another, ...others] = receiver.received
  if (one === undefined || another === undefined) throw new Error('two messages have come')
  expect(others).toEqual([])
  expect(verified(secret, one)).toMatchObject({
    type: 'code.received',
    timestamp: t.clock.now().toISOString(),
    data: {
      order: 'activation',
      id: order.id,
      service_id: 'tg',
      country_id: 2,
      phone: order.phone,
      message: { sender: 'Telegram', text: 'Your code: 48213', code: '48213' },
    },
  })
  expect(verified(secret, another)).toMatchObject({ type: 'code.another', data: { message: { code: '11111' } } })
  expect(() => verified(secret, { ...one, body: one.body.replace('48213', '48214') })).toThrow()
  const [newest, oldest] = await deliveriesOf(t, user, id)
  expect(newest).toMatchObject({ event: 'code.another', state: 'delivered' })
  expect(oldest).toMatchObject({ event: 'code.received', tries: 1, status: 204, body: one.body, next_at: null })
  expect(oldest?.webhook_id).toBe(one.headers['webhook-id'])
  expect((await call(t, 'GET /api/v1/webhooks', {}, user)).data).toEqual([{ id, ...endpoint }])
  const { rows } = await t.ctx.db.query<{ dump: string }>({
    text: `SELECT query_to_xml('SELECT * FROM webhook_endpoints', true, false, '')::text
      || query_to_xml('SELECT * FROM webhook_deliveries', true, false, '')::text AS dump`,
  })
  const written = `${rows[0]?.dump}${JSON.stringify(t.log.lines)}`
  for (const word of [secret, secret.slice(6), '48213']) expect(written).not.toContain(word)

  await t.ctx.db.query({ text: `UPDATE messages SET received_at = received_at - interval '31 days'` })
  await cleanUp(t.ctx)
  const [later] = await deliveriesOf(t, user, id)
  expect(JSON.parse(later?.body ?? '')).toMatchObject({
    data: { message: { sender: null, text: null, code: null } },
  })
  t.clock.advance(15 * DAY)
  await cleanUp(t.ctx)
  expect(await count(t.ctx, 'webhook_deliveries')).toBe(0)
})

test('17.5: every event of an order, a pre-order and a payment is told, to whoever chose it alone', async () => {
  await using t = await startHooked()
  await using all = await startReceiver()
  await using some = await startReceiver()
  const user = await t.makeUser({ balance: '2000.00' })
  await hook(t, user, { url: all.url })
  await hook(t, user, { url: some.url, events: ['rental.ended', 'activation.cancelled'] })
  const gateway = await addFakeGateway(t)
  const payment = await begin(t, user)
  gateway.facts.set(payment.transaction_id, arrived(['d1', 50_000]))
  await gateway.send(t, { event: 'e1', transaction: payment.transaction_id })
  await t.ctx.background.idle()
  const supplier = await t.addFake('fake', [fakeOffer], fakeRentOffers)
  const [paid, cancelled] = [await buyOne(t, user), await buyOne(t, user)]
  for (const text of ['Code 48213', 'Code 11111']) await pushSms(t, supplier, { phone: paid.phone, text })
  const refund = { order: { kind: 'activation', id: BigInt(paid.id) }, link: null, now: t.clock.now() } as const
  await transaction(t.ctx.db, (tx) => payBack(tx, refund))
  t.clock.advance(2 * MINUTE)
  await cancel(t, user, cancelled.id)
  await pushSms(t, supplier, { phone: cancelled.phone, text: 'Code 99999' })
  const lost = await buyOne(t, user)
  const rental = await rentOne(t, user, { period: 4 })
  await pushSms(t, supplier, { phone: rental.phone, text: 'Code 22222' })
  catalogOf(t.ctx).setOffers(supplier.id, [])
  const wish = { service_id: 'tg', country_id: 2, max_price: '20.00', hours: 24 }
  const [bought, ended] = [
    (await call(t, 'POST /api/v1/preorders', wish, user)).data,
    (await call(t, 'POST /api/v1/preorders', { ...wish, max_price: '1.00' }, user)).data,
  ]
  catalogOf(t.ctx).setOffers(supplier.id, [fakeOffer])
  await sweepPreorders(t.ctx)
  await call(t, 'POST /api/v1/preorders/{id}/cancel', { id: ended.id }, user)
  t.clock.advance(30 * MINUTE)
  await sweepExpired(t.ctx)
  for (const passed of [3 * HOUR, HOUR]) {
    t.clock.advance(passed)
    await sweepRentals(t.ctx)
  }
  await sendDue(t.ctx)
  const told = all.events()
  expect(new Set(told.map(({ type }) => type))).toEqual(new Set(WEBHOOK_EVENTS))
  const dataOf = (type: string) => told.filter((one) => one.type === type).map(({ data }) => data)
  expect(dataOf('activation.cancelled')).toMatchObject([
    { id: cancelled.id, state: 'cancelled', price: '13.00', currency: 'rub' },
  ])
  expect(dataOf('activation.expired').map(({ id }) => id)).toContain(lost.id)
  expect(dataOf('order.refunded')).toMatchObject([{ order: 'activation', id: paid.id, amount: '13.00' }])
  expect(dataOf('rental.ending')).toMatchObject([{ id: rental.id, expires_at: expect.stringMatching(/Z$/) }])
  expect(dataOf('rental.ended')).toMatchObject([{ id: rental.id, state: 'expired' }])
  expect(dataOf('preorder.bought')).toMatchObject([{ preorder_id: bought.id, state: 'bought' }])
  expect(dataOf('preorder.ended')).toMatchObject([{ preorder_id: ended.id, state: 'cancelled' }])
  expect(dataOf('payment.credited')).toMatchObject([{ transaction_id: payment.transaction_id, amount: '500.00' }])
  expect(dataOf('code.received')).toMatchObject([{ id: paid.id }, { order: 'rental', id: rental.id }])
  expect(JSON.stringify(told)).not.toContain('99999')
  expect(some.events().map(({ type }) => type)).toEqual(['activation.cancelled', 'rental.ended'])
})

test('17.5: the form of the field is unsigned and as its scripts read it', async () => {
  await using t = await startHooked()
  await using receiver = await startReceiver()
  const user = await t.makeUser({ balance: '1000.00' })
  const { id, secret, events } = await hook(t, user, { url: receiver.url, form: 'field' })
  expect([secret, events]).toEqual(['', ['code.received', 'code.another']])
  const supplier = await t.addFake('fake', [fakeOffer], fakeRentOffers)
  const order = await buyOne(t, user)
  const rental = await rentOne(t, user, { period: 4 })
  await pushSms(t, supplier, { phone: order.phone, text: 'Your code: 48213' })
  await pushSms(t, supplier, { phone: rental.phone, text: 'Hello' })
  await call(t, 'POST /api/v1/webhooks/{id}/test', { id }, user)
  await sendDue(t.ctx)
  const date = new Date(t.clock.now().getTime() + 3 * HOUR).toISOString().slice(0, 19).replace('T', ' ')
  const bodies: unknown[] = receiver.received.map(({ body }) => JSON.parse(body))
  expect(bodies).toHaveLength(3)
  expect(bodies).toEqual(
    expect.arrayContaining([
      { activationId: order.id, service: 'tg', text: 'Your code: 48213', code: '48213', country: 2, receivedAt: date },
      { rentId: String(rental.id), sms: { phoneFrom: 'Telegram', text: 'Hello', date } },
      { activationId: 0, service: 'ot', text: 'Test 12345', code: '12345', country: 0, receivedAt: date },
    ]),
  )
  expect(receiver.received.flatMap(({ headers }) => Object.keys(headers)).join()).not.toContain('webhook')
})

test('17.5: in the overlap of a rotation both secrets verify, after it the new one alone', async () => {
  await using t = await startHooked()
  await using receiver = await startReceiver()
  const user = await t.makeUser()
  const { id, secret: before } = await hook(t, user, { url: receiver.url })
  const { data, secret } = await call(t, 'POST /api/v1/webhooks/{id}/rotate', { id, overlap_hours: 1 }, user)
  expect(data.previous_until).toBe(new Date(t.clock.now().getTime() + HOUR).toISOString())
  const after = secret ?? ''
  const sendOne = async () => {
    await call(t, 'POST /api/v1/webhooks/{id}/test', { id }, user)
    await sendDue(t.ctx)
    const received = receiver.received.at(-1)
    if (received === undefined) throw new Error('nothing came')
    return received
  }
  const both = await sendOne()
  for (const one of [before, after]) expect(verified(one, both)).toMatchObject({ type: 'test' })
  const last = await call(t, 'POST /api/v1/webhooks/{id}/rotate', { id, overlap_hours: 0 }, user)
  const single = await sendOne()
  expect(() => verified(after, single)).toThrow()
  expect(verified(last.secret ?? '', single)).toMatchObject({ type: 'test' })
})

test('17.5: blocked people, and programs whose key is revoked or reads no codes any more, are told nothing', async () => {
  await using t = await startHooked()
  await using receiver = await startReceiver()
  const [user, maker, careful] = [await t.makeUser(), await t.makeUser(), await t.makeUser()]
  await hook(t, user, { url: receiver.url })
  const keyInput = { name: 'Program', scopes: ['read' as const, 'buy' as const] }
  const key = await call(t, 'POST /api/v1/keys', keyInput, maker)
  const made = await hook(t, { ...maker, token: key.secret }, { url: receiver.url })
  expect(made.key_id).toBe(key.data.id)
  const narrowed = await call(t, 'POST /api/v1/keys', keyInput, careful)
  await hook(t, { ...careful, token: narrowed.secret }, { url: receiver.url })
  const supplier = await t.addFake()
  const orders = [await buyOne(t, user), await buyOne(t, maker), await buyOne(t, careful)]
  for (const { phone } of orders.slice(1)) await pushSms(t, supplier, { phone })
  await call(t, 'DELETE /api/v1/keys/{id}', { id: key.data.id }, maker)
  await call(t, 'PATCH /api/v1/keys/{id}', { id: narrowed.data.id, scopes: ['buy'] }, careful)
  await setBlocked(t.ctx.db, { userId: user.id, blockedAt: t.clock.now() })
  for (const { phone } of orders) await pushSms(t, supplier, { phone })
  await sendDue(t.ctx)
  expect(receiver.received).toEqual([])
})
